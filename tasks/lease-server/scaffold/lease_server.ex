defmodule LeaseServer do
  @moduledoc "A lease server as SPEC.md describes it."

  @type server :: pid
  @type resource :: binary
  @type token :: pos_integer
  @type time :: non_neg_integer

  @spec start_link(now: time) :: {:ok, server}
  def start_link(_options \\ []), do: raise("not written yet")

  @spec acquire(server, resource, pos_integer) :: {:ok, token} | {:error, :busy}
  def acquire(_server, _resource, _ttl), do: raise("not written yet")

  @spec request(server, resource, pos_integer, pos_integer | :infinity) ::
          {:ok, token} | {:queued, reference}
  def request(_server, _resource, _ttl, _patience), do: raise("not written yet")

  @spec cancel(server, reference) :: :ok | {:error, :unknown}
  def cancel(_server, _ref), do: raise("not written yet")

  @spec renew(server, resource, token, pos_integer) ::
          {:ok, time} | {:error, :stale | :not_holder}
  def renew(_server, _resource, _token, _ttl), do: raise("not written yet")

  @spec release(server, resource, token) :: :ok | {:error, :stale | :not_holder}
  def release(_server, _resource, _token), do: raise("not written yet")

  @spec advance(server, non_neg_integer) :: {:ok, time}
  def advance(_server, _ms), do: raise("not written yet")

  @spec snapshot(server) :: %{now: time, leases: [map]}
  def snapshot(_server), do: raise("not written yet")
end
