"""Hears the client's sounds without a loudspeaker: its own modules in a browser, rendered offline."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, Route

WEB = Path(__file__).parents[2] / "web"
MODULES = ("sounds", "synth", "score", "desk")
ADDRESS = "http://sounds.test/"

STRIP = """
const { transpileModule } = require('typescript');
const { readFileSync } = require('fs');
const compilerOptions = { module: 'esnext', target: 'es2022' };
const plain = (name) => transpileModule(readFileSync(`src/sound/${name}.ts`, 'utf8'), { compilerOptions }).outputText;
console.log(JSON.stringify(process.argv.slice(1).map(plain)));
"""

RENDER = """async () => {
  const [{ sounds, lengthOf }, { sound }, { Desk, groupOf }, { Score }] =
    await Promise.all(['sounds', 'synth', 'desk', 'score'].map((name) => import(`/${name}`)));
  const RATE = 44100, AUDIBLE = 0.002, heard = {};
  async function hear(name, length, seconds, begin) {
    const context = new OfflineAudioContext(1, seconds * RATE, RATE);
    begin(context, new Desk(context));
    const samples = (await context.startRendering()).getChannelData(0);
    const loud = samples.map(Math.abs);
    const first = loud.findIndex((one) => one > AUDIBLE) / RATE;
    const last = loud.findLastIndex((one) => one > AUDIBLE) / RATE;
    const power = Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
    heard[name] = { length, first, last, power, peak: loud.reduce((a, b) => Math.max(a, b)) };
  }
  for (const name of Object.keys(sounds))
    await hear(name, lengthOf(name), lengthOf(name) + 0.5, (context, desk) =>
      sound(context, desk.into[groupOf(name)], name, 0));
  for (const mood of ['day', 'night'])
    await hear(`music by ${mood}`, 20, 20, (context, desk) =>
      new Score(context, desk.into.music).write(mood, 0, 20));
  await hear('everything at once', 3, 3, (context, desk) => {
    for (const name of Object.keys(sounds)) sound(context, desk.into[groupOf(name)], name, 0);
    new Score(context, desk.into.music).write('night', 0, 3);
  });
  return heard;
}"""


def hear_all(page: Page) -> dict[str, dict[str, float]]:
    """Each sound at full volume: its length as said, when it is first and last audible, its peak and its power."""
    node = shutil.which("node")
    assert node
    stripped = subprocess.run([node, "-e", STRIP, *MODULES], cwd=WEB, capture_output=True, text=True, check=True)
    modules = dict(zip(MODULES, json.loads(stripped.stdout), strict=True))

    def serve(route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if name in modules:
            route.fulfill(content_type="text/javascript", body=modules[name])
        else:
            route.fulfill(content_type="text/html", body="<!doctype html>")

    page.route("**/*", serve)
    page.goto(ADDRESS)
    heard: Any = page.evaluate(RENDER)
    return dict(heard)
