/* A page as the C side writes it, with a made-up joint: a ball with a cam in a cup, five bodies, fields with steps, three
 * motions. The encoding is the one that src/model.ts describes. Everything follows from the options, nothing is random. */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";

const CENTER = [100, -250, 40];
const HEAD_MM = 24;
/** As in a scan: x to the left, y backward, z up. */
const FRAME = { right: [-1, 0, 0], forward: [0, -1, 0], up: [0, 0, 1] };
const AXES = { flexion: FRAME.right, adduction: FRAME.forward, rotation: FRAME.up };
const NECK = unit([-0.72, 0.12, -0.68]);
const CUP = unit([-0.62, -0.28, -0.73]);
const CAM = unit([-0.62, -0.7, 0.1]);

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
function unit(a) {
  const length = Math.hypot(...a);
  return a.map((x) => x / length);
}
const smooth = (x) => ((x = Math.min(1, Math.max(0, x))), x * x * (3 - 2 * x));

/** A sheet of columns x rows quads, seen from outside when u x v points there. */
function sheet(columns, rows, place) {
  const points = [],
    triangles = [];
  for (let j = 0; j <= rows; ++j)
    for (let i = 0; i <= columns; ++i) points.push(place(i / columns, j / rows).map((x, k) => x + CENTER[k]));
  for (let j = 0; j < rows; ++j)
    for (let i = 0; i < columns; ++i) {
      const a = j * (columns + 1) + i,
        b = a + 1,
        c = a + columns + 1,
        d = c + 1;
      triangles.push(a, b, d, a, d, c);
    }
  return { points, triangles };
}

/** Direction at `polar` (0 to pi) from `axis`, turned by `turn`. */
function around(axis, polar, turn) {
  const a = unit(cross(axis, Math.abs(axis[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0])),
    b = cross(axis, a);
  const s = Math.sin(polar),
    c = Math.cos(polar);
  return axis.map((x, k) => c * x + s * (Math.cos(turn) * a[k] + Math.sin(turn) * b[k]));
}

function camHeight(direction, cam) {
  return cam * smooth((dot(direction, CAM) - 0.82) / 0.16);
}

function femur(quads, cam) {
  return sheet(2 * quads, quads, (u, v) => {
    const d = around(
        NECK.map((x) => -x),
        Math.PI * v,
        -2 * Math.PI * u,
      ),
      t = dot(d, NECK);
    const r = HEAD_MM + camHeight(d, cam) + 46 * smooth((t - 0.86) / 0.16);
    return d.map((x) => r * x);
  });
}

/** Out along the inside, round the rim, back along the outside. */
function shell(quads, inner, outer, opening, wing) {
  const back = CUP.map((x) => -x);
  return sheet(2 * quads, quads, (u, v) => {
    const inside = v < 0.5,
      polar = opening * (inside ? 2 * v : 2 - 2 * v),
      d = around(back, polar, 2 * Math.PI * u);
    const r = inside ? inner : outer + wing * smooth((dot(d, FRAME.up) - 0.3) / 0.7);
    return d.map((x) => r * x);
  });
}

function rim(quads, opening) {
  const back = CUP.map((x) => -x);
  return sheet(4 * quads, quads, (u, v) => {
    const d = around(back, opening, -2 * Math.PI * u),
      a = 2 * Math.PI * v,
      out = CUP;
    return d.map((x, k) => x * (27 + 2.4 * Math.cos(a)) + out[k] * 2.4 * Math.sin(a));
  });
}

/* ---- encoding ---- */

const zigzag16 = (d) => (((d << 16) >> 15) ^ ((d << 16) >> 31)) & 0xffff;
const zigzag32 = (d) => ((d << 1) ^ (d >> 31)) >>> 0;

function packSurface({ points, triangles }) {
  const low = [0, 1, 2].map((k) => points.reduce((m, p) => Math.min(m, p[k]), Infinity));
  const high = [0, 1, 2].map((k) => points.reduce((m, p) => Math.max(m, p[k]), -Infinity));
  const step = Math.max(...high.map((x, k) => x - low[k])) / 65535;
  const bytes = Buffer.alloc(6 * points.length + 4 * triangles.length);
  for (let k = 0; k < 3; ++k)
    for (let i = 0, before = 0; i < points.length; ++i) {
      const value = Math.round((points[i][k] - low[k]) / step);
      bytes.writeUInt16LE(zigzag16(value - before), 2 * (k * points.length + i));
      before = value;
    }
  for (let i = 0, before = 0; i < triangles.length; ++i) {
    bytes.writeUInt32LE(zigzag32(triangles[i] - before), 6 * points.length + 4 * i);
    before = triangles[i];
  }
  return { bytes, mesh: { vertices: points.length, triangles: triangles.length / 3, origin: low, step } };
}

function packField(values) {
  const known = values.filter((x) => !Number.isNaN(x));
  const low = known.reduce((m, x) => Math.min(m, x), Infinity),
    high = known.reduce((m, x) => Math.max(m, x), -Infinity);
  const step = (high - low) / 65534 || 1;
  const bytes = Buffer.alloc(2 * values.length);
  for (let i = 0, before = 0; i < values.length; ++i) {
    const stored = Number.isNaN(values[i]) ? 65535 : Math.round((values[i] - low) / step);
    bytes.writeUInt16LE((stored - before) & 0xffff, 2 * i);
    before = stored;
  }
  return { bytes, low, step };
}

/* ---- the report ---- */

/** The turn about the centre, as the hip's joint angles give it when both frames agree. */
export function pose(flexion, adduction, rotation) {
  const [f, a, r] = [flexion, adduction, rotation].map((x) => (x * Math.PI) / 180);
  const [cf, sf, ca, sa, cr, sr] = [Math.cos(f), Math.sin(f), Math.cos(a), Math.sin(a), Math.cos(r), Math.sin(r)];
  const joint = [
    [ca * cr, -ca * sr, sa],
    [cf * sr + sf * sa * cr, cf * cr - sf * sa * sr, -sf * ca],
    [sf * sr - cf * sa * cr, sf * cr + cf * sa * sr, cf * ca],
  ];
  const axes = [AXES.flexion, AXES.adduction, AXES.rotation];
  const turn = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => {
      let sum = 0;
      for (let k = 0; k < 3; ++k) for (let l = 0; l < 3; ++l) sum += axes[k][i] * joint[k][l] * axes[l][j];
      return sum;
    }),
  );
  return turn.flatMap((row, i) => [...row, CENTER[i] - dot(row, CENTER)]);
}

const range = (from, to, count) => Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
const turned = (m, p) =>
  [0, 1, 2].map((i) => m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3]);

/** How deep the cam lies under the rim, with the femur posed. */
function depthOf(point, matrix, cam) {
  const d = turned(matrix, point).map((x, k) => x - CENTER[k]),
    r = Math.hypot(...d);
  const inCup = -dot(d, CUP) / r;
  const depth = inCup > -0.1 ? r - HEAD_MM - 0.8 : -1;
  return depth > 0 && cam > 0 && r < HEAD_MM + cam + 1 ? depth : NaN;
}

function motion(name, label, angle, poses, cam, alongLabel) {
  const depth = angle.map((x) => (Math.abs(x) < 30 ? null : (cam * (Math.abs(x) - 30)) / 90));
  return {
    name,
    label,
    poses,
    along: { label: alongLabel, unit: "deg", values: angle },
    curves: [
      { name: "radial", label: "Radial depth", unit: "mm", values: depth },
      {
        name: "curvilinear",
        label: "Curvilinear depth",
        unit: "mm",
        values: depth.map((x) => (x === null ? null : 2.2 * x)),
      },
      { name: "free", label: "Rotation left", unit: "deg", values: angle.map((x) => 60 - 0.4 * Math.abs(x) - 3 * cam) },
    ],
    contact: null,
  };
}

/** options: cam (mm), quads (fineness), prefix (of the blobs), title, live, insideOut (the femur). Gives the model, its blobs and the plain values. */
export function makeReport({
  cam = 4,
  quads = 40,
  prefix = "",
  title = "Hip with a cam",
  live = null,
  insideOut = false,
} = {}) {
  const flexion = range(0, 110, 23),
    inward = range(0, 45, 16),
    abduction = range(0, -45, 10);
  const motions = [
    motion(
      "flexion",
      "Flexion",
      flexion,
      flexion.map((x) => pose(x, 0, 0)),
      cam,
      "Flexion",
    ),
    motion(
      "internal_rotation",
      "Internal rotation at 90 degrees",
      inward,
      inward.map((x) => pose(90, 0, x)),
      cam,
      "Internal rotation",
    ),
    motion(
      "abduction",
      "Abduction",
      abduction,
      abduction.map((x) => pose(0, x, 0)),
      cam,
      "Adduction",
    ),
  ];
  const touch = CAM.map((x, k) => CENTER[k] + x * (HEAD_MM + cam));
  motions[1].contact = {
    point: turned(motions[1].poses.at(-1), touch),
    mobile_point: touch,
    fixed: "labrum",
    mobile: "femur",
    kind: "edge-edge",
    hour: 1.5,
    angle_deg: 45,
  };
  const blobs = new Map(),
    plain = {};
  const put = (bytes) => {
    const id = `${prefix}blob-${blobs.size}`;
    blobs.set(id, deflateRawSync(bytes, { level: 6 }));
    return id;
  };
  const body = (name, label, tissue, moves, color, surface, fields) => {
    const { bytes, mesh } = packSurface(surface);
    plain[name] = { ...surface, fields: {} };
    return {
      name,
      label,
      tissue,
      moves,
      color,
      mesh: { blob: put(bytes), ...mesh },
      analysed: { vertices: 4 * mesh.vertices, triangles: 4 * mesh.triangles },
      display_error_mm: 0.02,
      fields: fields.map(({ values, ...field }) => {
        const packed = packField(values);
        plain[name].fields[`${field.name}/${field.motion}`] = values;
        return { ...field, blob: put(packed.bytes), low: packed.low, step: packed.step };
      }),
    };
  };
  const depthFields = (surface) =>
    motions.slice(0, 2).map((m) => ({
      name: "depth",
      label: "Depth",
      unit: "mm",
      steps: m.poses.length,
      motion: m.name,
      values: m.poses.flatMap((p) => surface.points.map((x) => depthOf(x, p, cam))),
    }));
  const head = femur(quads, cam),
    socket = shell(quads, 25.6, 29, 1.45, 26),
    cover = shell(Math.ceil(quads / 2), 24.9, 25.5, 1.3, 0);
  if (insideOut) head.triangles.reverse();
  const bodies = [
    body("pelvis", "Pelvis", "bone", false, [222, 207, 178], socket, []),
    body("femur", "Femur", "bone", true, [232, 220, 196], head, depthFields(head)),
    body("labrum", "Labrum", "labrum", false, [186, 120, 108], rim(Math.ceil(quads / 4), 1.45), []),
    body("acetabular_cartilage", "Acetabular cartilage", "cartilage", false, [150, 178, 196], cover, [
      {
        name: "pressure",
        label: "Pressure",
        unit: "MPa",
        steps: 1,
        motion: null,
        values: cover.points.map((p) => {
          const z = (p[2] - CENTER[2]) / 25;
          return z > 0 ? 6 * z * z : NaN;
        }),
      },
    ]),
    body(
      "femoral_cartilage",
      "Femoral cartilage",
      "cartilage",
      true,
      [160, 190, 205],
      sheet(quads, Math.ceil(quads / 2), (u, v) =>
        around(
          NECK.map((x) => -x),
          1.2 * v,
          -2 * Math.PI * u,
        ).map((x) => 24.4 * x),
      ),
      [],
    ),
  ];
  const grid = { flexion: range(-30, 130, 33), adduction: range(-60, 40, 21) };
  const free = (f, a, sign) => {
    const x = 55 - 0.3 * f - sign * 0.25 * a - 4 * cam * smooth((f - 40) / 60);
    return x < -5 ? null : Math.round(10 * x) / 10;
  };
  const model = {
    synovia: 1,
    kind: "hip",
    title,
    subtitle: "Right hip, synthetic ball and cup",
    summary: [
      `Internal rotation at 90 degrees of flexion ends after ${45 - 5 * cam} degrees, where the ${cam > 0 ? "cam of the neck" : "neck"} meets the labrum at half past one.`,
      `The alpha angle is ${42 + 6 * cam} degrees; published values of healthy hips are 38 to 50.`,
      "The hip centre is known to 0.3 mm across four methods.",
    ],
    frame: { side: "right", center: CENTER, ...FRAME, cup: CUP, joint: { pelvis: AXES, femur: AXES } },
    bodies,
    motions,
    markers: [
      { name: "center", label: "Hip centre", point: CENTER, body: "pelvis", confidence: 1 },
      {
        name: "neck",
        label: "Neck point",
        point: NECK.map((x, k) => CENTER[k] + 45 * x),
        body: "femur",
        confidence: 0.8,
      },
      {
        name: "rim_top",
        label: "Top of the rim",
        point: [CENTER[0] - 18, CENTER[1] - 4, CENTER[2] + 22],
        body: "pelvis",
        confidence: 0.6,
      },
    ],
    ranges: [
      {
        name: "alpha_deg",
        label: "Alpha angle",
        unit: "deg",
        value: 42 + 6 * cam,
        why_not: null,
        low: 38,
        high: 50,
        source: "Clohisy 2007",
        group: "measure",
      },
      {
        name: "lcea_deg",
        label: "Lateral centre-edge angle",
        unit: "deg",
        value: 31,
        why_not: null,
        low: 25,
        high: 39,
        source: "Tannast 2015",
        group: "measure",
      },
      {
        name: "torsion_deg",
        label: "Femoral torsion",
        unit: "deg",
        value: null,
        why_not: "the condyles are not in the mesh",
        low: 8,
        high: 20,
        source: "Toennis 1999",
        group: "measure",
      },
      {
        name: "flexion",
        label: "Flexion",
        unit: "deg",
        value: 118 - 4 * cam,
        why_not: null,
        low: 110,
        high: 130,
        source: "Kubiak-Langer 2007",
        group: "motion",
      },
      {
        name: "internal_rotation",
        label: "Internal rotation in flexion",
        unit: "deg",
        value: 45 - 5 * cam,
        why_not: null,
        low: 30,
        high: 45,
        band: [20, 31],
        link: "https://example.org/ranges",
        source: "Kubiak-Langer 2007",
        group: "motion",
      },
    ],
    envelope: {
      ...grid,
      internal: grid.flexion.map((f) => grid.adduction.map((a) => free(f, a, 1))),
      external: grid.flexion.map((f) => grid.adduction.map((a) => free(-f + 60, a, -1))),
      places: [
        { name: "gait", label: "Gait", source: "made up", flexion: [-20, 20], adduction: [-10, 5] },
        { name: "sitting", label: "Sitting", source: "made up", flexion: [90, 90], adduction: [0, 0] },
      ],
    },
    alpha: {
      center: CENTER,
      radius_mm: HEAD_MM,
      axis: NECK,
      away: unit(cross(cross(NECK, CAM), NECK)),
      alpha_deg: 45 + 5 * cam,
      hour: 1.5,
      tolerance_mm: 0.5,
    },
    clock: [
      { hour: 1.5, label: "Internal rotation", value: 25, unit: "deg", short_by: 5 },
      { hour: 1.3, label: "Flexion", value: 102, unit: "deg", short_by: 0 },
      { hour: 8, label: "Extension", value: 20, unit: "deg", short_by: null },
    ],
    tables: [
      {
        name: "motions",
        title: "Range of motion",
        note: "Angles from the neutral pose.",
        columns: [
          { key: "motion", label: "Motion", unit: "", numeric: false },
          { key: "angle", label: "Limit", unit: "deg", numeric: true },
          { key: "by", label: "Limited by", unit: "", numeric: false },
        ],
        rows: [
          { motion: "Flexion", angle: 118 - 4 * cam, by: 'labrum, "anterior"' },
          { motion: "Internal rotation, flexed", angle: 45 - 5 * cam, by: "labrum" },
          { motion: "Abduction", angle: 48.25, by: "pelvis" },
          { motion: "Extension", angle: null, by: "free" },
        ],
      },
    ],
    provenance: {
      version: "0.1.0",
      date: "2026-11-15 05:20 UTC",
      command: "synovia hip pelvis.ply femur.ply",
      inputs: [{ name: "pelvis.ply", sha256: "ab".repeat(32), vertices: 1000, triangles: 2000 }],
      options: { side: "right" },
    },
  };
  if (live) model.live = live;
  return { model, blobs, plain };
}

/** The area at or above a level by cutting every triangle: corners above, and where edges cross the level. */
export function areaAboveSlowly(points, triangles, values, level) {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const corners = [0, 1, 2].map((k) => [points[triangles[t + k]], values[triangles[t + k]]]);
    if (corners.some(([, value]) => Number.isNaN(value))) continue;
    const kept = corners.flatMap(([p, a], k) => {
      const [q, b] = corners[(k + 1) % 3],
        crossing = a >= level === b >= level ? [] : [p.map((x, i) => x + ((q[i] - x) * (level - a)) / (b - a))];
      return a >= level ? [p, ...crossing] : crossing;
    });
    for (let k = 2; k < kept.length; ++k) {
      const [u, v] = [k - 1, k].map((j) => kept[j].map((x, i) => x - kept[0][i]));
      sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
    }
  }
  return sum;
}

/** Several reports side by side. */
export function makeComparison(options) {
  const made = options.map((each, i) => makeReport({ ...each, prefix: `${i}-` }));
  return {
    model: { synovia: 1, kind: "compare", title: "Before and after", items: made.map((x) => x.model) },
    blobs: new Map(made.flatMap((x) => [...x.blobs])),
    plain: made.map((x) => x.plain),
  };
}

const escape = (text) => String(text).replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

function staticTable(table) {
  const head = table.columns.map(
    (c) =>
      `<th scope="col"${c.numeric ? ' class="number"' : ""}>${escape(c.label)}${c.unit ? ` (${escape(c.unit)})` : ""}</th>`,
  );
  const rows = table.rows.map(
    (row) =>
      `<tr>${table.columns.map((c) => `<td${c.numeric ? ' class="number"' : ""}>${escape(row[c.key] ?? "")}</td>`).join("")}</tr>`,
  );
  return `<table data-table="${escape(table.name)}"><caption>${escape(table.title)}</caption><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("")}</tbody></table>`;
}

const staticFigure = (name, caption) =>
  `<figure data-plot="${name}"><svg viewBox="0 0 300 120" role="img"><rect x="1" y="1" width="298" height="118" fill="none" stroke="var(--line)"/><text x="20" y="64">${name}, drawn for paper</text></svg><figcaption>${caption}</figcaption></figure>`;

const source = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** As src/report/page_parts.c writes it; a page that is served elsewhere talks to there. */
function policy(script, style, connect) {
  return `default-src 'none'; script-src ${source(script)} 'wasm-unsafe-eval'; style-src ${source(style)}; worker-src blob:; img-src data: blob:; connect-src ${connect}; base-uri 'none'; form-action 'none'`;
}

/** The whole file. */
export function pageOf({ model, blobs }, script, style) {
  const one = model.kind === "compare" ? null : model;
  const json = JSON.stringify(model).replaceAll("<", "\\u003c");
  const scripts = [...blobs].map(
    ([id, bytes]) => `<script type="application/octet-stream" id="${id}">${bytes.toString("base64")}</script>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy(script, style, model.live ? new URL(model.live.url).origin : "'self'")}"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(model.title)}</title><style>${style}</style></head><body>
<main id="report"><header><h1>${escape(model.title)}</h1>${one ? `<p class="subtitle">${escape(one.subtitle)}</p><ul class="summary">${one.summary.map((s) => `<li>${escape(s)}</li>`).join("")}</ul>` : ""}<p class="notice">Research software, not a medical device.</p></header>
<section id="scene" class="awaited"></section>
<section id="plots">${
    one
      ? [
          ["view", "The joint."],
          ["curves", "Depth along the motions."],
          ["envelope", "Rotation free of contact."],
          ["clock", "Where the neck meets the rim."],
          ["ranges", "Numbers beside published ranges."],
        ]
          .map(([n, c]) => staticFigure(n, c))
          .join("")
      : ""
  }</section>
<section id="tables">${one ? one.tables.map(staticTable).join("") : ""}</section>
<footer id="provenance">${one ? `Synovia ${one.provenance.version}, ${one.provenance.date}: ${escape(one.provenance.command)}` : ""}</footer></main>
<script type="application/json" id="synovia-report">${json}</script>${scripts.join("\n")}<script>${script}</script></body></html>`;
}
