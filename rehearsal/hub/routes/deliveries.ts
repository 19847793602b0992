import {
  ApiError,
  type Call,
  invalid,
  type Json,
  notFound,
  type Reply,
  type Route,
  reply,
  route,
} from "../http.ts";
import type { HubState } from "../state.ts";
import type { Delivery } from "../webhooks.ts";

/** GitHub forgets deliveries after this time, and sends none of them again. */
const KEPT_MS = 3 * 24 * 3_600_000;

/** The app's own list of webhook deliveries, and sending one again. */
export function deliveryRoutes(state: HubState): Route[] {
  const asApp = (call: Call): void => {
    if (call.identity.kind !== "app") throw new ApiError(401, "A JSON web token could not be decoded");
  };
  /** Newest first. */
  const listed = (): Delivery[] =>
    state.webhooks.deliveries
      .filter((delivery) => delivery.listed && Date.parse(delivery.at) > state.now() - KEPT_MS)
      .reverse();
  const at = (call: Call): Delivery => {
    asApp(call);
    const found = listed().find(({ number }) => number === Number(call.params.delivery));
    if (found === undefined) throw notFound();
    return found;
  };
  return [
    route("GET", "/app/hook/deliveries", (call) => {
      asApp(call);
      return page(state, call, listed());
    }),
    route("GET", "/app/hook/deliveries/:delivery", (call) => {
      const delivery = at(call);
      return reply(200, {
        ...deliveryObject(state, delivery),
        url: state.webhooks.target.url,
        request: {
          headers: { "X-GitHub-Event": delivery.event, "X-GitHub-Delivery": delivery.id },
          payload: delivery.payload,
        },
        response: { headers: {}, payload: null },
      });
    }),
    route("POST", "/app/hook/deliveries/:delivery/attempts", (call) => {
      state.webhooks.redeliver(at(call).id);
      return reply(202, {});
    }),
  ];
}

/** One page by cursor: the number of the first delivery that the page shows. */
function page(state: HubState, call: Call, rows: readonly Delivery[]): Reply {
  const { query } = call;
  const status = query.get("status");
  if (status !== null && status !== "success" && status !== "failure") throw invalid("Invalid status");
  const size = Math.min(100, Math.max(1, Number(query.get("per_page") ?? "30") || 30));
  const cursor = query.get("cursor");
  if (cursor !== null && !/^\d+$/.test(cursor)) throw new ApiError(400, "Invalid cursor");
  const found = rows.filter(
    (delivery) =>
      (cursor === null || delivery.number <= Number(cursor)) &&
      (status === null || (status === "success") === succeeded(delivery)),
  );
  const next = found[size];
  const link = new URLSearchParams(query);
  if (next !== undefined) link.set("cursor", String(next.number));
  return reply(
    200,
    found.slice(0, size).map((delivery) => deliveryObject(state, delivery)),
    next === undefined ? {} : { link: `<${state.url}${call.path}?${link}>; rel="next"` },
  );
}

const succeeded = ({ status }: Delivery): boolean => status !== null && status < 400;

function deliveryObject(state: HubState, delivery: Delivery): Json {
  const { payload, status, error } = delivery;
  const repository = payload.repository as { id?: number } | undefined;
  return {
    id: delivery.number,
    guid: delivery.id,
    delivered_at: delivery.at,
    redelivery: delivery.redelivery,
    duration: 0,
    status: status === null ? (error ?? "pending") : succeeded(delivery) ? "OK" : "Invalid HTTP Response",
    status_code: status ?? 0,
    event: delivery.event,
    action: delivery.action,
    installation_id: state.app?.installationId ?? null,
    repository_id: repository?.id ?? null,
    throttled_at: null,
  };
}
