defmodule LeaseServer do
  @moduledoc """
  Hands out leases of named resources on a virtual clock; SPEC.md says what they are.

  One process for each server puts calls in order; `LeaseServer.Table` is what it knows.
  """

  use GenServer

  alias LeaseServer.Table

  @type server :: pid
  @type resource :: binary
  @type token :: pos_integer
  @type time :: non_neg_integer

  @doc "Starts a server that is linked to the caller. `now:` says what time it is; 0 by default."
  @spec start_link(now: time) :: {:ok, server}
  def start_link(options \\ []) do
    case options do
      [] -> GenServer.start_link(__MODULE__, 0)
      [now: now] when is_integer(now) and now >= 0 -> GenServer.start_link(__MODULE__, now)
      _ -> wrong("options", options)
    end
  end

  @doc "The lease of a free resource; never waits."
  @spec acquire(server, resource, pos_integer) :: {:ok, token} | {:error, :busy}
  def acquire(server, resource, ttl) do
    check_resource(resource)
    check_positive("ttl", ttl)
    call(server, {:acquire, resource, ttl})
  end

  @doc "The lease of a resource, or a place at the end of its line until `now + patience`."
  @spec request(server, resource, pos_integer, pos_integer | :infinity) ::
          {:ok, token} | {:queued, reference}
  def request(server, resource, ttl, patience) do
    check_resource(resource)
    check_positive("ttl", ttl)
    if patience != :infinity, do: check_positive("patience", patience)
    call(server, {:request, resource, ttl, patience})
  end

  @doc "Takes a waiting request of the caller out of its line."
  @spec cancel(server, reference) :: :ok | {:error, :unknown}
  def cancel(server, ref) do
    if not is_reference(ref), do: wrong("ref", ref)
    call(server, {:cancel, ref})
  end

  @doc "Sets the deadline of the caller's lease to `now + ttl`."
  @spec renew(server, resource, token, pos_integer) ::
          {:ok, time} | {:error, :stale | :not_holder}
  def renew(server, resource, token, ttl) do
    check_resource(resource)
    check_token(token)
    check_positive("ttl", ttl)
    call(server, {:renew, resource, token, ttl})
  end

  @doc "Ends the caller's lease."
  @spec release(server, resource, token) :: :ok | {:error, :stale | :not_holder}
  def release(server, resource, token) do
    check_resource(resource)
    check_token(token)
    call(server, {:release, resource, token})
  end

  @doc "Moves the time on, with everything that happens on the way."
  @spec advance(server, non_neg_integer) :: {:ok, time}
  def advance(server, ms) do
    if not (is_integer(ms) and ms >= 0), do: wrong("ms", ms)
    call(server, {:advance, ms})
  end

  @doc "The time, and every lease with its line."
  @spec snapshot(server) :: %{now: time, leases: [map]}
  def snapshot(server), do: call(server, :snapshot)

  defp call(server, message), do: GenServer.call(server, message, :infinity)

  defp check_resource(resource), do: if(not is_binary(resource), do: wrong("resource", resource))
  defp check_token(token), do: if(not is_integer(token), do: wrong("token", token))

  defp check_positive(name, value) do
    if not (is_integer(value) and value >= 1), do: wrong(name, value)
  end

  defp wrong(name, value), do: raise(ArgumentError, "wrong #{name}: #{inspect(value)}")

  @impl true
  def init(now), do: {:ok, Table.new(now)}

  @impl true
  def handle_call(message, {caller, _tag}, table) do
    {reply, table} = answer(message, caller, table)
    {:reply, reply, table}
  end

  @impl true
  def handle_info({:DOWN, monitor, :process, pid, _reason}, table) do
    {:noreply, Table.bury(table, pid, monitor)}
  end

  def handle_info(_unasked, table), do: {:noreply, table}

  @impl true
  def handle_cast(_unasked, table), do: {:noreply, table}

  defp answer({:acquire, resource, ttl}, caller, table),
    do: Table.acquire(table, caller, resource, ttl)

  defp answer({:request, resource, ttl, patience}, caller, table),
    do: Table.request(table, caller, resource, ttl, patience)

  defp answer({:cancel, ref}, caller, table), do: Table.cancel(table, caller, ref)

  defp answer({:renew, resource, token, ttl}, caller, table),
    do: Table.renew(table, caller, resource, token, ttl)

  defp answer({:release, resource, token}, caller, table),
    do: Table.release(table, caller, resource, token)

  defp answer({:advance, ms}, _caller, table), do: Table.advance(table, ms)
  defp answer(:snapshot, _caller, table), do: {Table.snapshot(table), table}
  defp answer(_unknown, _caller, table), do: {{:error, :unknown}, table}
end
