/** Format a number in the page's language, with a minus sign (U+2212): a hyphen is shorter than a plus. */
function formatNumber(number, digits = 0) {
  const how = { minimumFractionDigits: digits, maximumFractionDigits: 1, useGrouping: false };
  return Number(number).toLocaleString(document.documentElement.lang || "en", how).replace("-", "\u2212");
}
// Show what the server sends, for as long as the page is seen: a browser has six connections to one server for all of
// its tabs, so that a seventh would wait for ever.
function follow(show, reportLoss, showPicture = () => {}) {
  let source = null, timer = 0, silence = 0;
  const note = () => {
    clearTimeout(silence);
    silence = setTimeout(() => { reportLoss(); start(); }, SILENCE_SECONDS * 1000);
  };
  const start = () => {
    clearTimeout(timer);
    clearTimeout(silence);
    source?.close();
    if (document.hidden) return;
    source = new EventSource("events");
    note();
    source.onmessage = (event) => { note(); show(JSON.parse(event.data)); };
    source.addEventListener("picture", (event) => { note(); showPicture(event.data); });
    source.addEventListener("alive", note);
    source.onerror = () => {
      reportLoss();
      // A browser tries again after a lost connection, and not after an answer that refuses.
      if (source.readyState === EventSource.CLOSED) timer = setTimeout(start, RETRY_SECONDS * (1000 + 1000 * Math.random()));
    };
  };
  document.addEventListener("visibilitychange", start);
  start();
}
