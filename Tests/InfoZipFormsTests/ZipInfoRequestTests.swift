import InfoZipForms
import Testing

@Suite("parts of a zipinfo list") struct ZipInfoRequestTests {
  typealias Form = ZipInfoRequest.Form

  struct Case: Sendable {
    var form: Form?
    var head: Bool?
    var totals: Bool?
    var isSelective: Bool
    var shown: Form
    var parts: (head: Bool, totals: Bool)
  }

  static let cases: [Case] = [
    .init(isSelective: false, shown: .table(.short), parts: (true, true)),
    .init(isSelective: true, shown: .table(.short), parts: (false, false)),
    .init(head: true, isSelective: false, shown: .none, parts: (true, false)),
    .init(totals: true, isSelective: false, shown: .none, parts: (false, true)),
    .init(totals: true, isSelective: true, shown: .table(.short), parts: (false, true)),
    .init(head: false, isSelective: false, shown: .table(.short), parts: (false, true)),
    .init(totals: false, isSelective: false, shown: .table(.short), parts: (true, false)),
    .init(
      form: .namesOnly, head: true, isSelective: false, shown: .namesOnly, parts: (false, false)),
    .init(form: .names, isSelective: false, shown: .names, parts: (false, false)),
    .init(form: .names, head: true, isSelective: true, shown: .names, parts: (true, false)),
    .init(
      form: .table(.long), head: true, isSelective: true, shown: .table(.long), parts: (true, false)
    ),
    .init(form: .verbose, isSelective: true, shown: .verbose, parts: (true, false)),
    .init(form: .verbose, totals: true, isSelective: false, shown: .verbose, parts: (true, true)),
  ]

  @Test(arguments: cases)
  func `head and totals come with a whole table, and else on request`(row: Case) {
    var options = ZipInfoRequest.Options()
    (options.form, options.head, options.totals) = (row.form, row.head, row.totals)
    let request = ZipInfoRequest(options, isSelective: row.isSelective)
    #expect(request.form == row.shown)
    #expect(request.hasHead == row.parts.head)
    #expect(request.hasTotals == row.parts.totals)
  }

  @Test func `a comment comes with everything but bare names`() {
    var options = ZipInfoRequest.Options()
    options.comment = true
    #expect(ZipInfoRequest(options, isSelective: true).hasComment)
    options.form = .namesOnly
    #expect(!ZipInfoRequest(options, isSelective: true).hasComment)
  }
}
