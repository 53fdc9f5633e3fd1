/// The web page of a viewer: a page to read above a strip of thumbnails.
///
/// It loads nothing but the pictures it names, by relative addresses, so that it works from disk. The
/// strip's places are laid out from their sizes and stand at half opacity until their pictures come, which
/// the browser fetches as they scroll into view. A click, the arrow keys, Page Up and Down, Home and End
/// go to another page; the address carries the page, so that it can be kept or sent.
public enum ViewerPage {
  /// The page as HTML.
  ///
  /// - Parameter documents: What to show, one strip after the other.
  /// - Returns: A whole document in UTF-8.
  public static func html(_ documents: [ViewerDocument]) -> String {
    let title = documents.count == 1 ? documents[0].title : "\(documents.count) documents"
    return """
      <!doctype html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; \
      style-src 'unsafe-inline'; script-src 'unsafe-inline'">
      <title>\(escape(title))</title>
      <style>\(style)</style>
      <main><img id="view" alt=""><p id="missing" hidden>This page could not be drawn.</p></main>
      <p id="caption" aria-live="polite"></p>
      <nav aria-label="Pages">
      \(documents.enumerated().map { strip($1, number: $0 + 1) }.joined(separator: "\n"))
      </nav>
      <script>\(script)</script>
      </html>

      """
  }

  private static func strip(_ document: ViewerDocument, number: Int) -> String {
    let pages = document.pages.map { place($0, of: document, number: number) }
    return "<section aria-label=\"\(escape(document.title))\">"
      + "<h2>\(escape(document.title))</h2>\n\(pages.joined(separator: "\n"))\n</section>"
  }

  private static func place(
    _ page: ViewerDocument.Page, of document: ViewerDocument, number: Int
  ) -> String {
    let name = page.label == "\(page.number)" ? page.label : "\(page.label) (\(page.number))"
    let picture =
      page.thumbnail.map {
        "<img loading=\"lazy\" src=\"\(escape($0))\" width=\"\(page.width)\" "
          + "height=\"\(page.height)\" alt=\"Page \(escape(name))\">"
      } ?? "!"
    let view = page.view.map { " data-view=\"\(escape($0))\"" } ?? ""
    return "<a id=\"d\(number)p\(page.number)\" href=\"#d\(number)p\(page.number)\"\(view) "
      + "data-caption=\"\(escape("\(document.title), page \(name)"))\" "
      + "style=\"width:\(page.width)px;height:\(page.height)px\">\(picture)</a>"
  }

  /// Makes text safe between tags and inside quoted attributes.
  static func escape(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let style = """

    html, body { height: 100%; margin: 0 }
    body { display: flex; flex-direction: column; background: #3b4252; color: #eceff4; font: 14px system-ui, sans-serif }
    main { flex: 1; min-height: 0; display: flex; align-items: center; justify-content: center; padding: 12px }
    #view { max-width: 100%; max-height: 100%; background: #fff; box-shadow: 0 2px 12px #0008 }
    #view:not([src]) { display: none }
    #caption { margin: 0; padding: 4px; text-align: center; min-height: 1.3em }
    nav { display: flex; gap: 24px; overflow-x: auto; padding: 10px; background: #2e3440 }
    section { display: flex; gap: 10px; align-items: flex-end; position: relative; padding-top: 20px }
    h2 { position: absolute; top: 0; left: 0; margin: 0; font-size: 12px; font-weight: normal; white-space: nowrap;
      max-width: 100%; overflow: hidden; text-overflow: ellipsis }
    nav a { flex: none; display: flex; align-items: center; justify-content: center; background: #fff; opacity: .5;
      color: #b00020; text-decoration: none; outline-offset: 2px }
    nav a.loaded { opacity: 1 }
    nav a[aria-current] { outline: 3px solid #88c0d0 }

    """

  private static let script = """

    const places = [...document.querySelectorAll('nav a')]
    const view = document.getElementById('view')
    let current = -1
    for (const place of places) {
      const picture = place.querySelector('img')
      if (!picture) continue
      const show = () => place.classList.add('loaded')
      if (picture.complete && picture.naturalWidth) show()
      else picture.addEventListener('load', show)
    }
    function go(index) {
      if (index < 0 || index >= places.length || index === current) return
      if (current >= 0) places[current].removeAttribute('aria-current')
      current = index
      const place = places[index]
      place.setAttribute('aria-current', 'page')
      place.scrollIntoView({ inline: 'center', block: 'nearest' })
      if (place.dataset.view) view.src = place.dataset.view
      else view.removeAttribute('src')
      view.alt = document.getElementById('caption').textContent = place.dataset.caption
      document.getElementById('missing').hidden = Boolean(place.dataset.view)
    }
    const fromAddress = () => places.findIndex(place => '#' + place.id === location.hash)
    addEventListener('hashchange', () => go(fromAddress()))
    addEventListener('keydown', event => {
      if (event.ctrlKey || event.altKey || event.metaKey) return
      const to = { ArrowRight: current + 1, ArrowLeft: current - 1, PageDown: current + 10, PageUp: current - 10,
        Home: 0, End: places.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      const index = Math.max(0, Math.min(places.length - 1, to))
      history.replaceState(null, '', '#' + places[index].id)
      go(index)
    })
    go(Math.max(0, fromAddress()))

    """
}
