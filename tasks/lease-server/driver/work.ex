defmodule AssayDriver.Work do
  @moduledoc """
  What is timed. Each iteration begins with what the one before came to, and the first with the salt: nothing can be remembered, and
  the answer shows that all of them were done. It is the same for every right server, whoever was first.
  """

  import Bitwise

  @names List.to_tuple(for(number <- 0..63, do: "resource #{number}"))

  def prepare(kind, seed) do
    {:ok, server} = LeaseServer.start_link()
    <<start::32, _::binary>> = :erlang.md5(seed)
    iteration = iteration(kind, server)

    fn iterations, <<salt::32, _::binary>> ->
      <<repeat(iterations, mix(start, salt), iteration)::32>>
    end
  end

  defp repeat(0, state, _iteration), do: state
  defp repeat(left, state, iteration), do: repeat(left - 1, iteration.(state), iteration)

  # One process: acquire, renew, release.
  defp iteration(?U, server) do
    fn state ->
      state =
        Enum.reduce(1..32, state, fn _, state ->
          name = elem(@names, band(state >>> 9, 63))
          {:ok, token} = LeaseServer.acquire(server, name, 1000)
          {:ok, deadline} = LeaseServer.renew(server, name, token, 2000 + band(state, 255))
          :ok = LeaseServer.release(server, name, token)
          mix(mix(state, token), deadline)
        end)

      {:ok, now} = LeaseServer.advance(server, 1)
      mix(state, now)
    end
  end

  # Long lines: granted, timed out, cancelled.
  defp iteration(?L, server) do
    fn state ->
      {:ok, token} = LeaseServer.acquire(server, "line", 50)

      {refs, state} =
        Enum.map_reduce(1..256, mix(state, token), fn _, state ->
          state = mix(state, 1)
          patience = if band(state >>> 7, 7) == 0, do: :infinity, else: 50 + band(state >>> 10, 511)
          {:queued, ref} = LeaseServer.request(server, "line", 1 + band(state >>> 20, 3), patience)
          {ref, state}
        end)

      for {ref, number} <- Enum.with_index(refs), rem(number, 4) == 1, do: :ok = LeaseServer.cancel(server, ref)
      {:ok, _} = LeaseServer.advance(server, 200)
      state = read(state)
      {:ok, now} = LeaseServer.advance(server, 1000)
      mix(read(state), now)
    end
  end

  # Many processes that want few resources.
  defp iteration(?C, server) do
    owner = self()
    processes = for number <- 1..16, do: {number, spawn_link(fn -> contend(server, owner) end)}

    fn state ->
      for {number, pid} <- processes, do: send(pid, {:go, mix(state, number)})
      sum = Enum.reduce(processes, 0, fn _, sum -> receive(do: ({:sum, tokens} -> sum + tokens)) end)
      mix(state, sum)
    end
  end

  defp contend(server, owner) do
    receive do
      {:go, state} ->
        {_, sum} = Enum.reduce(1..8, {state, 0}, fn _, {state, sum} -> {mix(state, 1), sum + once(server, state)} end)
        send(owner, {:sum, sum})
        contend(server, owner)
    end
  end

  defp once(server, state) do
    name = elem(@names, band(state >>> 9, 3))

    token =
      case LeaseServer.request(server, name, 1_000_000, :infinity) do
        {:ok, token} -> token
        {:queued, ref} -> receive(do: ({:lease_granted, ^ref, token} -> token))
      end

    :ok = LeaseServer.release(server, name, token)
    token
  end

  # Folds the messages that came, in their order.
  defp read(state) do
    receive do
      {:lease_granted, _ref, token} -> read(mix(state, token))
      {:lease_expired, _name, token} -> read(mix(state, token + 1))
      {:lease_timeout, _ref} -> read(mix(state, 7))
    after
      0 -> state
    end
  end

  defp mix(state, value), do: band((state + value) * 1_664_525 + 1_013_904_223, 0xFFFFFFFF)
end
