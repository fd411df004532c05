// Drives docs/examples/react in windows of two people, one of whom has two: node react.mjs BROWSER PAGE SERVER

import assert from 'node:assert/strict';
import puppeteer from 'puppeteer-core';

const [executablePath, page, server] = process.argv.slice(2);
const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
const failures = [];

/** Opens a window with its own storage. */
async function open(id, name) {
  const context = await browser.createBrowserContext();
  const window = await context.newPage();
  window.on('pageerror', (error) => failures.push(error));
  window.on('console', (line) => line.type() === 'error' && failures.push(line.text()));
  await window.goto(`${page}?${new URLSearchParams({ server, id, name })}`);
  return window;
}

const status = (window, text) =>
  window.waitForFunction((want) => document.querySelector('[role=status]')?.textContent === want, {}, text);
const typing = (window, text) =>
  window.waitForFunction((want) => document.getElementById('typing').textContent === want, {}, text);
const lines = (window, ...texts) =>
  window.waitForFunction((want) => [...document.querySelectorAll('li')]
    .map((line) => `${line.className}${line.textContent}`).join() === want, {}, texts.join());

try {
  const ann = await open('17', 'ann');
  const bob = await open('4', 'bob');
  await status(ann, '2 in the room');
  await bob.type('input', 'hello');
  await typing(ann, 'bob typing\u2026');
  await bob.keyboard.press('Enter');
  await lines(ann, 'bob hello');
  await typing(ann, '');
  await lines(bob, 'ownbob hello');

  const phone = await open('17', 'ann');
  await lines(phone, 'bob hello');
  await status(bob, '2 in the room');
  await phone.type('input', 'hi');
  await phone.keyboard.press('Enter');
  for (const own of [ann, phone]) {
    await lines(own, 'bob hello', 'ownann hi');
  }
  await phone.close();
  await ann.reload();
  await lines(ann, 'bob hello', 'ownann hi');
  await status(bob, '2 in the room');
  await bob.close();
  await status(ann, '1 in the room');
  assert.deepEqual(failures, []);
} finally {
  await browser.close();
}
