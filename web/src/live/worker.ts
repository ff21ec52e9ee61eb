/* What runs in the page's worker: one hip, one request after the other. */
import { WasmHip } from "./wasm-hip";
import type { WorkerRequest, WorkerReply } from "./ask-worker";

let hip: Promise<WasmHip> | null = null;

async function answer(request: WorkerRequest): Promise<ArrayBuffer | Float64Array | number> {
  if (request.call === "open") {
    hip = WasmHip.open(request.code, request.hip);
    return (await hip).jointRadius;
  }
  const opened = await hip!;
  switch (request.call) {
    case "pose":
      return opened.pose(request.matrix, request.field);
    case "limits":
      return opened.limits();
    case "center":
      opened.setCenter(request.center);
      return opened.jointRadius;
    case "radius":
      opened.setJointRadius(request.mm);
      return opened.jointRadius;
    case "cut":
      return opened.cut(request.point, request.radius, request.depth);
    case "undo":
      return opened.undo();
    case "removed":
      return opened.removed;
  }
}

const scope = self as unknown as {
  onmessage: (event: MessageEvent<WorkerRequest>) => void;
  postMessage: (reply: WorkerReply, transfer?: Transferable[]) => void;
};
scope.onmessage = ({ data }) => {
  answer(data).then(
    (value) =>
      scope.postMessage(
        { id: data.id, value },
        typeof value === "number" ? [] : [(value instanceof Float64Array ? value.buffer : value) as ArrayBuffer],
      ),
    (error: unknown) => scope.postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) }),
  );
};
