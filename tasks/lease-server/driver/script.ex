defmodule AssayDriver.Script do
  @moduledoc """
  Plays steps one after another, each to its end, and tells what came of them. A step is a line of words:

      c1 acquire a 10     what the process c1 calls; resources, numbers, `inf`, `r1` for a reference, `~nil` for a wrong value
      advance 5           called by the driver itself, as `snapshot` is
      kill c1 | stop c1   the process dies, killed or by coming to its end
      monitors c1         how many monitors there are on it
      stray               messages that nobody asked for, to the server
      use 2 [100]         another server from here on, with a clock of its own

  An empty line ends a script; the next one begins with nothing. A process is started when it is first named. Below each step stand the messages that came with it, by process.
  """

  @patience 3_000

  def run(scripts), do: scripts |> String.split("\n\n") |> Enum.map_join("\n\n", &play/1)

  defp play(script) do
    state = %{servers: %{}, current: nil, clients: %{}, refs: %{}, names: %{}, lines: []} |> use_server("1", 0)

    script
    |> String.split("\n", trim: true)
    |> Enum.reduce_while(state, fn line, state ->
      case step(String.split(line), state) do
        {:hangs, state} -> {:halt, state}
        state -> {:cont, drain(state)}
      end
    end)
    |> Map.fetch!(:lines)
    |> Enum.reverse()
    |> Enum.join("\n")
  end

  defp use_server(state, name, now) do
    servers =
      Map.put_new_lazy(state.servers, name, fn ->
        {:ok, server} = LeaseServer.start_link(if(now == 0, do: [], else: [now: now]))
        server
      end)

    %{state | servers: servers, current: servers[name]}
  end

  defp step(["use", name], state), do: use_server(state, name, 0)
  defp step(["use", name, now], state), do: use_server(state, name, String.to_integer(now))

  defp step(["advance", ms], state) do
    server = state.current
    ms = argument(ms, state)

    case by_itself(fn -> LeaseServer.advance(server, ms) end) do
      {:value, {:ok, now}} -> tell(state, "now = #{text(now)}")
      other -> tell(state, "advance = #{outcome(other, state)}")
    end
  end

  defp step(["snapshot"], state) do
    server = state.current

    case by_itself(fn -> LeaseServer.snapshot(server) end) do
      {:value, snapshot} -> Enum.reduce(snapshot_lines(snapshot, state), state, &tell(&2, &1))
      other -> tell(state, "snapshot = #{outcome(other, state)}")
    end
  end

  defp step([word, name], state) when word in ["kill", "stop"] do
    state = client(state, name)
    pid = state.clients[name]
    monitor = Process.monitor(pid)
    if word == "kill", do: Process.exit(pid, :kill), else: send(pid, :stop)

    receive do
      {:DOWN, ^monitor, :process, ^pid, _} -> :ok
    end

    for {_, server} <- state.servers, do: settle(server, pid, 200)
    tell(%{state | clients: Map.delete(state.clients, name)}, "#{name} = ended")
  end

  defp step(["monitors", name], state) do
    state = client(state, name)
    {:monitored_by, by} = Process.info(state.clients[name], :monitored_by)
    tell(state, "#{name} = #{length(by)} monitors")
  end

  defp step(["stray"], state) do
    server = state.current
    clients = Map.values(state.clients)

    for pid <- clients do
      send(server, {:DOWN, make_ref(), :process, pid, :killed})
      send(server, {:EXIT, pid, :killed})
      send(server, {:lease_timeout, pid})
    end

    for {ref, _} <- state.names, do: send(server, {:timeout, ref, ref})
    send(server, :stray)
    send(server, {make_ref(), {:ok, 1}})
    send(server, {:"$gen_cast", :stray})
    tell(state, "sent")
  end

  defp step([name, function | words], state) do
    state = client(state, name)
    server = state.current
    arguments = Enum.map(words, &argument(&1, state))
    call = fn -> apply(LeaseServer, function_name(function), [server | arguments]) end

    case ask(state.clients[name], call) do
      :hangs ->
        {:hangs, tell(state, "#{name} = hangs")}

      {:value, {:queued, ref}} when is_reference(ref) ->
        known = "r#{map_size(state.refs) + 1}"

        tell(
          %{state | refs: Map.put(state.refs, known, ref), names: Map.put(state.names, ref, known)},
          "#{name} = queued #{known}"
        )

      result ->
        tell(state, "#{name} = #{outcome(result, state)}")
    end
  end

  defp function_name("acquire"), do: :acquire
  defp function_name("request"), do: :request
  defp function_name("cancel"), do: :cancel
  defp function_name("renew"), do: :renew
  defp function_name("release"), do: :release
  defp function_name("advance"), do: :advance
  defp function_name("snapshot"), do: :snapshot

  defp argument("inf", _state), do: :infinity
  defp argument("r0", _state), do: make_ref()
  defp argument("~nil", _state), do: nil
  defp argument("~float", _state), do: 1.0
  defp argument("~atom", _state), do: :a
  defp argument("~list", _state), do: 'a'
  defp argument("~bits", _state), do: <<1::3>>
  defp argument("~text", _state), do: "1"
  defp argument("~number", _state), do: 7

  defp argument(word, state) do
    case {Integer.parse(word), state.refs} do
      {{number, ""}, _} -> number
      {_, %{^word => ref}} -> ref
      _ -> word
    end
  end

  defp outcome({:value, :ok}, _), do: "ok"
  defp outcome({:value, {:ok, value}}, _), do: "ok #{text(value)}"
  defp outcome({:value, {:error, why}}, _) when is_atom(why), do: "error #{why}"
  defp outcome({:value, _}, _), do: "something else"
  defp outcome({:raised, module}, _), do: "raises #{inspect(module)}"
  defp outcome(:exits, _), do: "exits"
  defp outcome(:hangs, _), do: "hangs"

  defp text(number) when is_integer(number), do: Integer.to_string(number)
  defp text(_), do: "?"

  defp snapshot_lines(%{now: now, leases: leases} = snapshot, state)
       when map_size(snapshot) == 2 and is_list(leases) do
    processes = Map.new(state.clients, fn {name, pid} -> {pid, name} end)

    ["now = #{text(now)}" | Enum.map(leases, &lease_line(&1, processes))]
  end

  defp snapshot_lines(_, _), do: ["snapshot = something else"]

  defp lease_line(%{resource: resource, holder: holder, token: token, deadline: deadline, waiters: waiters} = lease, processes)
       when map_size(lease) == 5 and is_binary(resource) and is_list(waiters) do
    line = Enum.map_join(waiters, " ", &Map.get(processes, &1, "?"))
    "  #{resource} #{Map.get(processes, holder, "?")} #{text(token)} #{text(deadline)} [#{line}]"
  end

  defp lease_line(_, _), do: "  something else"

  defp tell(state, line), do: %{state | lines: [line | state.lines]}

  # Messages that came to the processes, each in its order.
  defp drain(state) do
    Enum.sort_by(state.clients, fn {name, _} -> {String.length(name), name} end)
    |> Enum.reduce(state, fn {name, pid}, state ->
      servers = Map.values(state.servers)

      case ask(pid, {:drain, servers}) do
        {:value, messages} ->
          Enum.reduce(messages, state, &tell(&2, "  #{name} < #{message(&1, state.names)}"))

        _ ->
          state
      end
    end)
  end

  defp message({:lease_granted, ref, token}, names) when is_reference(ref),
    do: "granted #{Map.get(names, ref, "r?")} #{text(token)}"

  defp message({:lease_timeout, ref}, names) when is_reference(ref), do: "timeout #{Map.get(names, ref, "r?")}"

  defp message({:lease_expired, resource, token}, _) when is_binary(resource),
    do: "expired #{resource} #{text(token)}"

  defp message(_, _), do: "something else"

  defp client(state, name) do
    if is_map_key(state.clients, name),
      do: state,
      else: %{state | clients: Map.put(state.clients, name, spawn(&serve/0))}
  end

  # A process of its own, that calls what it is told to.
  defp serve do
    receive do
      :stop ->
        :ok

      {:ask, from, tag, {:drain, servers}} ->
        # What a server sent to this process before it answers lies in the mailbox then.
        for server <- servers, do: outcome_of(fn -> LeaseServer.cancel(server, make_ref()) end)
        send(from, {tag, {:value, mailbox([])}})
        serve()

      {:ask, from, tag, call} ->
        send(from, {tag, outcome_of(call)})
        serve()
    end
  end

  defp mailbox(found) do
    receive do
      message -> mailbox([message | found])
    after
      0 -> Enum.reverse(found)
    end
  end

  defp outcome_of(call) do
    {:value, call.()}
  rescue
    error -> {:raised, error.__struct__}
  catch
    _, _ -> :exits
  end

  defp ask(pid, what) do
    tag = make_ref()
    send(pid, {:ask, self(), tag, what})

    receive do
      {^tag, result} -> result
    after
      @patience -> :hangs
    end
  end

  # In a process that nobody waits for in vain.
  defp by_itself(call) do
    pid = spawn(&serve/0)
    result = ask(pid, call)
    Process.exit(pid, :kill)
    result
  end

  # Until the server has got to know that a process died, as its snapshot shows.
  defp settle(server, pid, tries) do
    case by_itself(fn -> LeaseServer.snapshot(server) end) do
      {:value, %{leases: leases}} when is_list(leases) and tries > 0 ->
        if Enum.any?(leases, &names?(&1, pid)) do
          Process.sleep(5)
          settle(server, pid, tries - 1)
        end

      _ ->
        :ok
    end
  end

  defp names?(%{holder: pid}, pid), do: true
  defp names?(%{waiters: waiters}, pid) when is_list(waiters), do: pid in waiters
  defp names?(_, _), do: false
end
