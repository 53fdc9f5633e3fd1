import Dialogue
import Testing

@Suite struct JSONValueTests {
  @Test(
    arguments: [
      (JSONValue.null, "null"), (true, "true"), (-3, "-3"),
      (.init(UInt64.max), "18446744073709551615"),
      (.init(Int64.min), "-9223372036854775808"), (1.5, "1.5"), (.double(1e300), "1e+300"),
      (.double(.nan), "null"), (.double(.infinity), "null"), ("", "\"\""),
      ("a\"b\\c/d", #""a\"b\\c/d""#), ("\n\r\t\u{0}\u{1F}", #""\n\r\t\u0000\u001f""#),
      ("\u{7F}\u{9B}\u{2028}", #""\u007f\u009b\u2028""#), ("é日👩‍🚀", "\"é日👩‍🚀\""), ([], "[]"),
      ([:], "{}"),
      ([1, nil, ["a": []]], #"[1,null,{"a":[]}]"#),
      (["z": 1, "a": 2, "z\"": 3], #"{"z":1,"a":2,"z\"":3}"#), (.init(nil as String?), "null"),
      (.init(bytes: [0x61, 0xFF, 0x62]), "\"a\u{FFFD}b\""),
    ] as [(JSONValue, String)])
  func `writes values`(_ value: JSONValue, _ text: String) { #expect(value.text == text) }
}
