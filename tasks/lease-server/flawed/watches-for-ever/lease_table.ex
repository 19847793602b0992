defmodule LeaseServer.Table do
  @moduledoc """
  What a lease server knows, and every change to it. Functions run in the server's process: they send its
  messages and keep its monitors. Each takes logarithmic time.
  """

  # A queue that loses members in its middle, and what is due when: ordered sets.
  @lease 0
  @patience 1

  defstruct now: 0,
            next_token: 1,
            # Numbers requests that wait, in their order over all lines.
            next_turn: 1,
            # resource => %{token, holder, deadline}
            leases: %{},
            # resource => set of {turn, ref}; no empty ones
            lines: %{},
            # ref => %{resource, owner, ttl, turn, until}
            requests: %{},
            # {time, @lease, token, resource} and {time, @patience, turn, ref}
            due: :gb_sets.new(),
            # pid => %{monitor, leases: %{token => resource}, refs: %{ref => true}}
            clients: %{}

  def new(now), do: %__MODULE__{now: now}

  def acquire(table, caller, resource, ttl) do
    if is_map_key(table.leases, resource) do
      {{:error, :busy}, table}
    else
      {token, table} = grant(table, resource, caller, ttl)
      {{:ok, token}, table}
    end
  end

  def request(table, caller, resource, ttl, patience) do
    if is_map_key(table.leases, resource) do
      {ref, table} = join(table, resource, caller, ttl, patience)
      {{:queued, ref}, table}
    else
      acquire(table, caller, resource, ttl)
    end
  end

  def cancel(table, caller, ref) do
    case table.requests do
      %{^ref => %{owner: ^caller}} -> {:ok, leave(table, ref)}
      _ -> {{:error, :unknown}, table}
    end
  end

  def renew(table, caller, resource, token, ttl) do
    with {:ok, lease} <- held(table, caller, resource, token) do
      deadline = table.now + ttl

      due =
        :gb_sets.add(
          {deadline, @lease, token, resource},
          :gb_sets.delete({lease.deadline, @lease, token, resource}, table.due)
        )

      leases = %{table.leases | resource => %{lease | deadline: deadline}}
      {{:ok, deadline}, %{table | leases: leases, due: due}}
    else
      error -> {error, table}
    end
  end

  def release(table, caller, resource, token) do
    with {:ok, _lease} <- held(table, caller, resource, token) do
      {:ok, end_lease(table, resource)}
    else
      error -> {error, table}
    end
  end

  def advance(table, ms) do
    table = play(table, table.now + ms)
    {{:ok, table.now}, table}
  end

  def snapshot(table) do
    leases =
      for {resource, lease} <- Enum.sort_by(table.leases, &elem(&1, 0)) do
        line = Map.get(table.lines, resource, :gb_sets.new())
        waiters = for {_turn, ref} <- :gb_sets.to_list(line), do: table.requests[ref].owner
        Map.merge(lease, %{resource: resource, waiters: waiters})
      end

    %{now: table.now, leases: leases}
  end

  @doc "Takes everything from a process that died; a monitor that is not ours says nothing."
  def bury(table, pid, monitor) do
    case table.clients do
      %{^pid => %{monitor: ^monitor, refs: refs, leases: leases}} ->
        table = Enum.reduce(refs, table, fn {ref, true}, table -> leave(table, ref) end)
        in_order = Enum.sort(leases)
        Enum.reduce(in_order, table, fn {_token, resource}, table -> end_lease(table, resource) end)

      _ ->
        table
    end
  end

  defp held(table, caller, resource, token) do
    case table.leases do
      %{^resource => %{token: ^token, holder: ^caller} = lease} -> {:ok, lease}
      %{^resource => %{token: ^token}} -> {:error, :not_holder}
      _ -> {:error, :stale}
    end
  end

  # Plays what is due, event by event: each may bring others.
  defp play(table, until) do
    if :gb_sets.is_empty(table.due) do
      %{table | now: until}
    else
      case :gb_sets.smallest(table.due) do
        {time, kind, _, what} when time <= until ->
          %{table | now: time} |> happen(kind, what) |> play(until)

        _later ->
          %{table | now: until}
      end
    end
  end

  defp happen(table, @lease, resource) do
    %{holder: holder, token: token} = table.leases[resource]
    send(holder, {:lease_expired, resource, token})
    end_lease(table, resource)
  end

  defp happen(table, @patience, ref) do
    send(table.requests[ref].owner, {:lease_timeout, ref})
    leave(table, ref)
  end

  defp grant(table, resource, holder, ttl) do
    token = table.next_token
    deadline = table.now + ttl

    table = %{
      table
      | next_token: token + 1,
        leases: Map.put(table.leases, resource, %{token: token, holder: holder, deadline: deadline}),
        due: :gb_sets.add({deadline, @lease, token, resource}, table.due),
        clients: note(table.clients, holder, :leases, token, resource)
    }

    {token, table}
  end

  # The lease goes to the first in line, or the resource is free.
  defp end_lease(table, resource) do
    {%{token: token, holder: holder, deadline: deadline}, leases} = Map.pop!(table.leases, resource)

    table = %{
      table
      | leases: leases,
        due: :gb_sets.delete({deadline, @lease, token, resource}, table.due)
    }

    # The next one first: a process that hands a lease on to itself is never unwatched in between.
    table = hand_on(table, resource)
    %{table | clients: forget(table.clients, holder, :leases, token)}
  end

  defp hand_on(table, resource) do
    case table.lines do
      %{^resource => line} ->
        {_turn, ref} = :gb_sets.smallest(line)
        %{owner: owner, ttl: ttl} = table.requests[ref]
        {token, table} = grant(table, resource, owner, ttl)
        send(owner, {:lease_granted, ref, token})
        leave(table, ref)

      _ ->
        table
    end
  end

  defp join(table, resource, owner, ttl, patience) do
    ref = make_ref()
    turn = table.next_turn
    until = if patience == :infinity, do: :infinity, else: table.now + patience
    request = %{resource: resource, owner: owner, ttl: ttl, turn: turn, until: until}
    line = :gb_sets.add({turn, ref}, Map.get(table.lines, resource, :gb_sets.new()))

    table = %{
      table
      | next_turn: turn + 1,
        lines: Map.put(table.lines, resource, line),
        requests: Map.put(table.requests, ref, request),
        due: if(until == :infinity, do: table.due, else: :gb_sets.add({until, @patience, turn, ref}, table.due)),
        clients: note(table.clients, owner, :refs, ref, true)
    }

    {ref, table}
  end

  # A request leaves its line: granted, cancelled, timed out, or its owner died.
  defp leave(table, ref) do
    {%{resource: resource, owner: owner, turn: turn, until: until}, requests} =
      Map.pop!(table.requests, ref)

    line = :gb_sets.delete({turn, ref}, table.lines[resource])

    lines =
      if :gb_sets.is_empty(line),
        do: Map.delete(table.lines, resource),
        else: %{table.lines | resource => line}

    %{
      table
      | lines: lines,
        requests: requests,
        due: :gb_sets.del_element({until, @patience, turn, ref}, table.due),
        clients: forget(table.clients, owner, :refs, ref)
    }
  end

  defp note(clients, pid, what, key, value) do
    client =
      Map.get_lazy(clients, pid, fn -> %{monitor: Process.monitor(pid), leases: %{}, refs: %{}} end)

    Map.put(clients, pid, Map.update!(client, what, &Map.put(&1, key, value)))
  end

  defp forget(clients, pid, what, key) do
    %{clients | pid => Map.update!(Map.fetch!(clients, pid), what, &Map.delete(&1, key))}
  end
end
