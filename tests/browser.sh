#!/usr/bin/env bash
# Pages of `fairhaven report` in a real browser: headless Chromium at 1280 and 360 pixels, light and dark. Nothing may be
# wider than the window (tables scroll in boxes of their own), and nothing may be fetched. Screenshots, and
# the pages as they are printed, are left in target/pages/. Without Chromium it says "not run", and why.
set -euo pipefail
cd "$(dirname "$0")/.."

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "not run: no Chromium (on Debian: apt-get install chromium)"
    exit 0
fi
# The program that the tests are built with.
cargo test --quiet --test cli --no-run
program=$PWD/target/debug/fairhaven
pages=$PWD/target/pages
rm -rf "$pages"
mkdir -p "$pages"
cd "$pages"

# NAME COMMAND…: plays a run and makes its page.
page() {
    local name=$1
    shift
    "$program" "$@" --seed 3 --quiet --out "runs/$name"
    "$program" report "runs/$name" --output "$name.html" >/dev/null
}
page simulate simulate on-the-road --agents builder,random --matches 400
page levels levels on-the-road --against greedy --agent greedy --param lapse=0..1 --rates 12 --players 3 --tolerance 8pp
page rules compare base --rules-b points_to_win=6 --agents greedy --matches 40
page duel compare on-the-road builder random --matches 400
page balance balance on-the-road --choice metropolis --set side=b --levels builder,greedy --blocks 40
page sweep sweep on-the-road --field points_to_win --values 5..7 --agents builder --blocks 40
page sensitivity sensitivity on-the-road --agents builder --blocks 10
page tournament tournament on-the-road builder random drifter --players 3 --blocks 40
# A name without a place to break.
long=$(printf 'w%.0s' {1..200}).toml
printf 'about = "a baseline"\nkind = "builder"\nprovenance = ""\n' >"$long"
page long simulate on-the-road --agents "$long",random --matches 40

# The flags of a browser that has no user and no network to speak of.
headless() {
    "$browser" --headless --no-sandbox --disable-gpu --allow-file-access-from-files --hide-scrollbars \
        --host-resolver-rules='MAP * ~NOTFOUND' "$@" 2>/dev/null
}

# The page in a frame of some width, which is to it what a window is; a script beside the frame measures it.
frame() {
    local name=$1 width=$2
    cat <<HTML
<!DOCTYPE html><html><body style="margin:0">
<iframe id="page" src="$name.html" style="border:0;width:${width}px;height:4000px"></iframe><pre id="found"></pre>
<script>
document.getElementById('page').onload = function () {
  const page = this.contentDocument, root = page.documentElement;
  const fetched = this.contentWindow.performance.getEntriesByType('resource').length;
  const wide = [...page.querySelectorAll('body *')].filter(one =>
    !one.closest('.scroll table, svg') && one.getBoundingClientRect().right > $width + 0.5);
  const drawn = [...page.querySelectorAll('svg text')].filter(one => {
    const [box, all] = [one.getBoundingClientRect(), one.closest('svg').getBoundingClientRect()];
    return box.left < all.left - 1 || box.right > all.right + 1;
  });
  const names = all => all.map(one => one.tagName + ':' + one.textContent.slice(0, 30)).join('|');
  document.getElementById('found').textContent = 'width ' + root.scrollWidth + ' of $width, fetched ' + fetched +
    ', beyond the window ' + wide.length + ' ' + names(wide) + ', beyond pictures ' + drawn.length + ' ' + names(drawn);
};
</script></body></html>
HTML
}

failed=0
for page in *.html; do
    name=${page%.html}
    case $name in frame-*) continue ;; esac
    headless --no-pdf-header-footer --print-to-pdf="$pages/$name.pdf" "file://$pages/$name.html"
    for width in 1280 360; do
        frame "$name" "$width" >"frame-$name-$width.html"
        for scheme in light dark; do
            number=$([ "$scheme" = dark ] && echo 0 || echo 1)
            found=$(headless --blink-settings=preferredColorScheme="$number" --virtual-time-budget=5000 \
                --dump-dom "file://$pages/frame-$name-$width.html" | sed -n 's/.*<pre id="found">\([^<]*\)<.*/\1/p')
            headless --blink-settings=preferredColorScheme="$number" --window-size="$((width > 500 ? width : 500)),4000" \
                --screenshot="$pages/$name-$width-$scheme.png" "file://$pages/frame-$name-$width.html"
            due="width $width of $width, fetched 0, beyond the window 0 , beyond pictures 0 "
            if [ "$found" != "$due" ]; then
                echo "$name at $width, $scheme: ${found:-the browser gave nothing}"
                failed=1
            fi
        done
        rm "frame-$name-$width.html"
    done
done
rm -r runs "$long"
[ "$failed" = 0 ] && echo "All pages fit. Screenshots: target/pages/"
exit "$failed"
