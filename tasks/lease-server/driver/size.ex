defmodule AssayDriver.Size do
  @moduledoc "Many of everything: the time that it takes is the harness's to judge."

  import Bitwise

  @doc "`count seed`: a line of so many, out of which all are cancelled in no order; then as many leases at once, which end in another one."
  def lines(plan) do
    [count, seed] = plan |> String.split() |> Enum.map(&String.to_integer/1)
    {:ok, server} = LeaseServer.start_link()
    {:ok, 1} = LeaseServer.acquire(server, "one", 1_000_000)

    refs =
      for number <- 1..count do
        {:queued, ref} = LeaseServer.request(server, "one", 1, if(rem(number, 2) == 0, do: :infinity, else: number + 1000))
        ref
      end

    cancelled = for ref <- mixed(refs, seed), LeaseServer.cancel(server, ref) == :ok, do: 1
    :ok = LeaseServer.release(server, "one", 1)

    leases =
      for number <- 1..count do
        {:ok, token} = LeaseServer.acquire(server, "r#{number}", count * 2 - number)
        {"r#{number}", token}
      end

    {early, late} = Enum.split(mixed(leases, seed + 1), div(count, 2))
    for {name, token} <- early, do: :ok = LeaseServer.release(server, name, token)
    {:ok, _} = LeaseServer.advance(server, 2 * count)
    expired = for _ <- late, do: receive(do: ({:lease_expired, _, _} -> 1), after: (1000 -> 0))
    "cancelled #{Enum.sum(cancelled)} expired #{Enum.sum(expired)} left #{length(LeaseServer.snapshot(server).leases)}"
  end

  @doc "`count`: so many leases and requests, one after another, all of them over in the end; whether memory grew with them."
  def kept(plan) do
    count = plan |> String.trim() |> String.to_integer()
    {:ok, server} = LeaseServer.start_link()
    used(server, 1..1000)
    before = memory()
    used(server, 1001..count)
    # Less than what the smallest note about each of them would take.
    grown = div(memory() - before, count - 1000)
    "kept #{if grown < 16, do: "nothing", else: "#{grown} bytes of each"}"
  end

  defp used(server, numbers) do
    for number <- numbers do
      name = "resource #{number}"
      {:ok, token} = LeaseServer.acquire(server, name, 1_000_000_000)
      {:queued, ref} = LeaseServer.request(server, name, 1, 1_000_000_000)
      {:ok, _} = LeaseServer.renew(server, name, token, 1_000_000_001)
      :ok = LeaseServer.cancel(server, ref)
      :ok = LeaseServer.release(server, name, token)
    end

    {:ok, _} = LeaseServer.advance(server, 1)
  end

  defp memory do
    for pid <- Process.list(), do: :erlang.garbage_collect(pid)
    :erlang.memory(:total)
  end

  defp mixed(items, seed) do
    {mixed, _} =
      Enum.map_reduce(items, band(seed, 0xFFFFFFFF), fn item, state ->
        state = band(state * 1_664_525 + 1_013_904_223, 0xFFFFFFFF)
        {{state, item}, state}
      end)

    mixed |> Enum.sort_by(&elem(&1, 0)) |> Enum.map(&elem(&1, 1))
  end
end
