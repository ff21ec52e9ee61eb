/* Asking the viewer that served the page. */
import { renewal } from "./renewal";
import type { EditAnswer, EditRequest, PoseRequest, SaveAnswer, Source } from "./protocol";

async function post(url: string, body: object): Promise<Response> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  const { error } = (await response.json().catch(() => ({}))) as { error?: string };
  throw new Error(error ?? `the viewer answered ${response.status}`);
}

export function viewerSource(url: string): Source {
  return {
    answers: () => true,
    eager: true,
    landmarks: true,
    renewal: () => renewal(url),
    pose: async (request: PoseRequest) => (await post(`${url}/pose`, request)).arrayBuffer(),
    edit: async (request: EditRequest) => (await (await post(`${url}/edit`, request)).json()) as EditAnswer,
    save: async () => (await (await post(`${url}/save`, {})).json()) as SaveAnswer,
  };
}
