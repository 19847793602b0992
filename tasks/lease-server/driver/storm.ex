defmodule AssayDriver.Storm do
  @moduledoc """
  Many processes at once, on two schedulers. Each goes through rounds: it asks for a resource, waits for its lease, is alone with it
  for a moment, and gives it back. Some die, holding or waiting. The answer says what held, in words that do not depend on who was first.

  A plan is `processes rounds resources deaths seed`, in text; there is one on each line, and one storm after the other.
  """

  import Bitwise

  @seconds 4

  def run(plans), do: plans |> String.split("\n") |> Enum.map_join("\n\n", &play/1)

  defp play(plan) do
    [processes, rounds, resources, deaths, seed] = plan |> String.split() |> Enum.map(&String.to_integer/1)
    :erlang.system_flag(:schedulers_online, 2)
    {:ok, server} = LeaseServer.start_link()
    names = for number <- 1..resources, do: {number, "resource #{number}"}
    seen = %{server: server, rounds: rounds, inside: :ets.new(:inside, [:public]), last: :atomics.new(resources, []), names: Map.new(names), owner: self()}

    started =
      for number <- 1..processes do
        # Those that die do so in a round of their own: half of them holding, half of them waiting.
        death = if number <= deaths, do: {rem(number * 7, rounds) + 1, if(rem(number, 2) == 0, do: :holding, else: :waiting)}
        spawn_monitor(fn -> live(seen, rounds, death, mix(seed + number), []) end)
      end

    until = System.monotonic_time(:millisecond) + @seconds * 1000
    {tokens, problems} = gather(Map.new(started, fn {pid, monitor} -> {monitor, pid} end), until, [], %{})
    count = length(tokens)

    [
      "finished #{Map.get(problems, :finished, 0)} of #{processes - deaths}",
      "died #{Map.get(problems, :died, 0)} of #{deaths}",
      "stuck #{Map.get(problems, :stuck, 0)}",
      "crashed #{Map.get(problems, :crashed, 0)}",
      "two at once #{Map.get(problems, :two, 0)}",
      "late tokens #{Map.get(problems, :late, 0)}",
      "tokens twice #{count - length(Enum.uniq(tokens))}",
      "left #{left(server, 400)}",
      "free #{if free?(server, names), do: "yes", else: "no"}"
    ]
    |> Enum.join("\n")
  end

  defp gather(waiting, _until, tokens, problems) when map_size(waiting) == 0, do: {tokens, problems}

  defp gather(waiting, until, tokens, problems) do
    receive do
      {:seen, new, found} ->
        gather(waiting, until, new ++ tokens, Enum.reduce(found, problems, &add(&2, &1)))

      {:DOWN, monitor, :process, _, reason} ->
        how = if reason == :normal, do: :finished, else: if(reason == :killed, do: :died, else: :crashed)
        gather(Map.delete(waiting, monitor), until, tokens, add(problems, how))
    after
      max(0, until - System.monotonic_time(:millisecond)) ->
        for {_, pid} <- waiting, do: Process.exit(pid, :kill)
        {tokens, Map.put(problems, :stuck, map_size(waiting))}
    end
  end

  defp add(problems, what), do: Map.update(problems, what, 1, &(&1 + 1))

  defp live(seen, 0, _death, _state, tokens), do: send(seen.owner, {:seen, tokens, []})

  defp live(seen, round, death, state, tokens) do
    resource = rem(state >>> 8, map_size(seen.names)) + 1
    name = seen.names[resource]

    token =
      case LeaseServer.request(seen.server, name, 1_000_000, :infinity) do
        {:ok, token} ->
          token

        {:queued, ref} ->
          if death == {round, :waiting}, do: die(seen, tokens)

          receive do
            {:lease_granted, ^ref, token} -> token
          end
      end

    enter(seen, resource, token)
    if death != nil and elem(death, 0) == round, do: die(seen, [token | tokens])
    :ets.delete(seen.inside, resource)
    :ok = LeaseServer.release(seen.server, name, token)
    live(seen, round - 1, death, mix(state), [token | tokens])
  end

  # Alone: whoever was there before has left, or is dead; and the token is larger than all before it.
  defp enter(seen, resource, token) do
    case :ets.lookup(seen.inside, resource) do
      [{_, before}] -> if Process.alive?(before), do: send(seen.owner, {:seen, [], [:two]})
      [] -> :ok
    end

    :ets.insert(seen.inside, {resource, self()})
    if :atomics.exchange(seen.last, resource, token) >= token, do: send(seen.owner, {:seen, [], [:late]})
    for _ <- 1..3, do: :erlang.yield()
    if :ets.lookup(seen.inside, resource) != [{resource, self()}], do: send(seen.owner, {:seen, [], [:two]})
  end

  defp die(seen, tokens) do
    send(seen.owner, {:seen, tokens, []})
    Process.exit(self(), :kill)
  end

  defp left(server, tries) do
    %{leases: leases} = LeaseServer.snapshot(server)

    if leases != [] and tries > 0 do
      Process.sleep(5)
      left(server, tries - 1)
    else
      length(leases)
    end
  end

  defp free?(server, names) do
    Enum.all?(names, fn {_, name} -> match?({:ok, _}, LeaseServer.acquire(server, name, 1)) end)
  end

  defp mix(state), do: band(state * 1_664_525 + 1_013_904_223, 0xFFFFFFFF)
end
