defmodule AssayDriver do
  @moduledoc """
  Speaks the protocol of docs/perf.md for a lease server. The first byte of a case says what is asked:

      S  a script, in text: what `AssayDriver.Script` makes of it
      N  a storm of processes: `AssayDriver.Storm`
      Q  long lines, M  what is kept of what is over: `AssayDriver.Size`
      U L C  work to be timed: `AssayDriver.Work`

  The port is the process's own standard input and output, as bytes.
  """

  def start do
    spawn(fn ->
      {:ok, _} = :application.ensure_all_started(:elixir)
      # A server that dies must not take the driver along.
      Process.flag(:trap_exit, true)
      port = Port.open({:fd, 0, 1}, [:binary, :stream, :eof])
      converse(port, "", nil)
    end)
  end

  defp converse(port, bytes, run) do
    {head, content, bytes} = message(port, bytes)

    case head do
      ?C ->
        run = prepare(content)
        say(port, ?R, "")
        converse(port, bytes, run)

      ?G ->
        <<iterations::little-32, salt::binary>> = content
        say(port, ?D, run.(iterations, salt))
        converse(port, bytes, run)

      _end ->
        :erlang.halt(0)
    end
  end

  # Gives what is run when the harness says so.
  defp prepare(<<?S, script::binary>>), do: fn _, _ -> AssayDriver.Script.run(script) end
  defp prepare(<<?N, plan::binary>>), do: fn _, _ -> AssayDriver.Storm.run(plan) end
  defp prepare(<<?Q, plan::binary>>), do: fn _, _ -> AssayDriver.Size.lines(plan) end
  defp prepare(<<?M, plan::binary>>), do: fn _, _ -> AssayDriver.Size.kept(plan) end
  defp prepare(<<kind, seed::binary>>), do: AssayDriver.Work.prepare(kind, seed)

  defp say(port, word, content),
    do: Port.command(port, [word, <<byte_size(content)::little-32>>, content])

  defp message(_port, <<word, size::little-32, content::binary-size(size), rest::binary>>),
    do: {word, content, rest}

  defp message(port, bytes) do
    receive do
      {^port, {:data, more}} -> message(port, bytes <> more)
      {^port, :eof} -> :erlang.halt(0)
    end
  end
end
