/// What the page says around its table.
enum TruthWords {
  static let opening = """
    # The truth contract

    A downloader is trusted with two statements: "done", and the name of the file. `fetch` gives a file its name only when the
    head of the answer was complete and its framing exact, the status brings a file, lengths and ranges agree with what was asked
    and with what is stored, the validators held still, a content coding ended with its trailer, size and checksum match, and the
    data is on the disk. This page shows 124 ways for a server, a network or a disk to break one of these, and how `fetch` and
    other programs fare.

    `Scripts/truth` writes this page: it starts a misbehaving server for each row, lets every program that is installed meet it, and
    looks at the exit status and at what lies under the file's name afterwards. The rows are in `Tests/TruthTable`; `swift test`
    runs them with `fetch` and asserts, besides, the error's number, libcurl's number, the state of the part, and how many
    requests the servers saw.
    """

  static let legend = """
    - ✓: it says what is so. Where the file could be had it is there, whole; where it could not, the exit status is not 0.
    - ✓ \\*: the same, but something unfinished stays under the file's own name; aria2c leaves a `.aria2` beside it, which tells.
    - ✗: it says "done" and has no file or a wrong one, gives up on a file that could be had (with the exit status), hangs, or
      crashes.
    - –: it has no option for what the row needs.

    "Right" names the file, or the CFNetwork number and the exit status of `fetch`; `fetch --explain all` lists the numbers. Cases
    with variants have several rows. "The file" where an earlier run had left half of it means: the right bytes, however they came.
    """

  static let choices = """
    ## Where there was a choice

    - 28: bytes after the announced length are not part of the file; the connection is closed and the file stands.
    - 39: without a length the end of the connection is believed, and `fetch` says so; over TLS (41) only if it was announced.
    - 70: 204 says that there is no file: the server's answer is no, exit 8.
    - 80: 416 naming just the bytes that are there means whole, unless an earlier answer had named another length.
    - 94: `-o` names a file. A directory or a link there is an error; `-d` names a directory, `--existing replace` replaces the
      link and leaves alone what it points to. A device is written to as the bytes come.
    - 95: a full disk is a limit like `--max-size`, exit 10, and the part stays: scripts tell "make room" from "look at the file".
    - 58: following https to http gives up what https was asked for. The others follow; curl can be told not to.
    - 124: a cookie file that cannot be read as one is a mistake of the caller; the others download without the cookies.
    - 3, 5, 6: made with an address that has no route, and with own `resolv.conf` and `hosts` in a mount namespace.
    """
}
