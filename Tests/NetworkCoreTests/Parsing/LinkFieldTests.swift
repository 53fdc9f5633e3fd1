import NetworkCore
import Testing

@Suite("The Link field")
struct LinkFieldTests {
  @Test func `gives targets with their relations`() {
    let links = LinkField.parse(
      "<http://a/x,y>; rel=duplicate; pri=3; geo=de, <b>;rel=\"next DescribedBy\";"
        + " type=\"application/metalink4+xml; v=1\" , <c>; title=\"a, \\\"<d>\\\"\"; rel=up")
    #expect(links.map(\.target) == ["http://a/x,y", "b", "c"])
    #expect(links.map(\.relations) == [["duplicate"], ["next", "describedby"], ["up"]])
    #expect(links.map(\.priority) == [3, 999_999, 999_999])
    #expect(links.map(\.type) == [nil, "application/metalink4+xml", nil])
  }

  @Test(arguments: ["", ",", "a", "<", "<>", "<a", "a; rel=x", ";;;", "\"<a>\"", "< >; rel"])
  func `takes nothing from what is no link`(value: String) {
    #expect(LinkField.parse(value).allSatisfy { $0.relations.isEmpty })
  }

  @Test(arguments: ["0", "1000000", "-1", "x", "", "18446744073709551616"])
  func `leaves priorities out of range at the default`(value: String) {
    #expect(LinkField.parse("<a>; rel=duplicate; pri=\(value)").first?.priority == 999_999)
  }
}
