// Opens a page from the disk at phone and desktop width, in light and dark, and looks for what must not be there:
// errors, requests to anywhere, text that sticks out, numbers below a plot that touch, violations of accessibility rules.
//
// node look.mjs PAGE FOLDER   prints one JSON object: what was found, and what the page says; pictures go to FOLDER.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import { chromium } from 'playwright-core';

const [page_file, folder] = process.argv.slice(2);
const url = pathToFileURL(resolve(page_file)).href;
mkdirSync(folder, { recursive: true });

// As root the browser has no sandbox of its own; the rest keeps it from calling home.
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const found = { errors: [], requests: [], sticking_out: [], touching: [], violations: [], said: {} };
for (const [name, width, height] of [['phone', 390, 844], ['desktop', 1280, 900]]) {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width, height }, colorScheme });
    const page = await context.newPage();
    page.on('pageerror', (error) => found.errors.push(String(error)));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && found.errors.push(message.text()));
    page.on('request', (request) => request.url() !== url && found.requests.push(request.url()));
    page.on('dialog', (dialog) => { found.errors.push(`a dialog: ${dialog.message()}`); dialog.dismiss(); });
    await page.goto(url);
    const look_for_touching = async (state) => {
      const touching = await page.evaluate(() => [...document.querySelectorAll('.axis, .ends')].flatMap((axis) => {
        const shown = [...axis.children].filter((number) => number.getClientRects().length > 0);
        const boxes = shown.map((number) => [number.getBoundingClientRect(), number.textContent]);
        boxes.sort(([one], [other]) => one.left - other.left);
        return boxes.slice(1).flatMap(([box, text], before) =>
          box.left < boxes[before][0].right + 2 ? [`${boxes[before][1]} and ${text}`] : []);
      }));
      touching.forEach((numbers) => found.touching.push(`${name}, ${state}: ${numbers}`));
    };
    const look_for_sticking = async (state) => {
      const sticking = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (sticking > 0) found.sticking_out.push(`${name}, ${state}: ${sticking} pixels`);
    };
    // Numbers of one axis, at the widths around which the layout changes as well.
    for (const between of name === 'phone' ? [320, 480, 520] : [600, 660, 760, 1000]) {
      await page.setViewportSize({ width: between, height });
      await look_for_sticking(`${between} wide`);
      await look_for_touching(`${between} wide`);
    }
    await page.setViewportSize({ width, height });
    await look_for_touching('folded');
    await look_for_sticking('folded');
    // What is folded is looked at as well.
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = true; }));
    await look_for_sticking('unfolded');
    const axe = await new AxeBuilder({ page }).analyze();
    for (const violation of axe.violations) {
      const where = violation.nodes.map((node) => node.target.join(' ')).slice(0, 5).join(', ');
      found.violations.push(`${name}, ${colorScheme}: ${violation.id} at ${where}`);
    }
    await page.evaluate(() => document.querySelectorAll('details').forEach((details) => { details.open = false; }));
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), fullPage: true });
    found.said = {
      title: await page.title(),
      headings: await page.locator('h1, h2').allTextContents(),
      tables: await page.locator('table').count(),
      pictures: await page.locator('svg').count(),
      scripts: await page.locator('script').count(),
      links: await page.locator('a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
      text: await page.locator('body').innerText(),
    };
    await context.close();
  }
}
await browser.close();
console.log(JSON.stringify(found));
