package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A server of {@link SharedWorkIT}: input and output of its application. Not thread-safe. */
final class SharedWorkMember implements AutoCloseable
{
    /** Symbolic name of the bundle. */
    static final String APPLICATION = "shared.work";
    private static final char STOPPED = 'T';

    final RunningInstance instance;
    private final Map<String, Socket> senders = new HashMap<>();
    private final Map<String, Rows> outputs = new HashMap<>();

    /** Lines of a sink's file: the number of the symbol, then the other columns. */
    private static final class Rows
    {
        private final List<long[]> all = new ArrayList<>();
        private String rest = "";
        private long position;

        void read(final Path file) throws IOException
        {
            final byte[] bytes;
            try (RandomAccessFile input = new RandomAccessFile(file.toFile(), "r"))
            {
                input.seek(position);
                bytes = new byte[(int)(input.length() - position)];
                input.readFully(bytes);
            }
            position += bytes.length;
            final String text = rest + new String(bytes, StandardCharsets.US_ASCII);
            final int end = text.lastIndexOf('\n') + 1;
            text.substring(0, end).lines().forEach(line -> all.add(numbers(line)));
            rest = text.substring(end);
        }

        private static long[] numbers(final String line)
        {
            final String[] values = line.substring(1).split(",");
            final long[] numbers = new long[values.length];
            for (int i = 0; i < values.length; i++)
            {
                numbers[i] = Long.parseLong(values[i]);
            }
            return numbers;
        }
    }

    /** May fail. */
    @FunctionalInterface
    interface Condition
    {
        boolean holds() throws Exception;
    }

    /** Polls a server's file until it contains the expected rows; polls without delay. */
    static void await(final String what, final Condition condition) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds())
        {
            assertThat(System.nanoTime() - deadlineNs).as("not in time: " + what).isNegative();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
        }
    }

    SharedWorkMember(final RunningInstance instance)
    {
        this.instance = instance;
    }

    JsonObject cluster()
    {
        try
        {
            return instance.client.server().getAsJsonObject("cluster");
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    String name()
    {
        return cluster().get("serverName").getAsString();
    }

    /** Returns the names of the members that it reports. */
    String members()
    {
        final TreeSet<String> names = new TreeSet<>();
        cluster().getAsJsonArray("members")
            .forEach(each -> names.add(each.getAsJsonObject().get("serverName").getAsString()));
        return names.toString();
    }

    boolean isCoordinator()
    {
        return cluster().get("coordinator").getAsString().equals(name());
    }

    boolean runs()
    {
        try
        {
            for (final JsonElement each : instance.client.applications())
            {
                if (each.getAsJsonObject().get("state").getAsString().equals("RUNNING"))
                {
                    return true;
                }
            }
            return false;
        }
        catch (final InterruptedException e)
        {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the stage's own statistics. */
    JsonObject own(final String stage) throws InterruptedException
    {
        for (final JsonElement each : instance.client.statistics(APPLICATION).getAsJsonArray("stages"))
        {
            if (each.getAsJsonObject().get("id").getAsString().equals(stage))
            {
                return each.getAsJsonObject().getAsJsonObject("own");
            }
        }
        throw new AssertionError("no such stage: " + stage);
    }

    /** Sends lines to one of its adapters, over one connection for all lines. */
    void send(final String adapter, final String lines) throws IOException, InterruptedException
    {
        Socket sender = senders.get(adapter);
        if (sender == null)
        {
            sender = new Socket(InetAddress.getLoopbackAddress(), own(adapter).get("port").getAsInt());
            sender.setTcpNoDelay(true);
            senders.put(adapter, sender);
        }
        sender.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns all rows that a sink has written so far. */
    List<long[]> rows(final String sink) throws IOException
    {
        final Path file = instance.domain.directory().resolve(sink + ".txt");
        final Rows rows = outputs.computeIfAbsent(sink, name -> new Rows());
        if (Files.exists(file))
        {
            rows.read(file);
        }
        return rows.all;
    }

    String log() throws IOException
    {
        return Files.readString(instance.domain.directory().resolve("logs/server.log"));
    }

    /** Kills its process and closes its connections. */
    void kill() throws IOException, InterruptedException
    {
        instance.kill();
        closeSenders();
    }

    /** Pauses its process. Its threads have stopped when this returns; the signal alone does not wait for them. */
    void pause() throws Exception
    {
        signal("STOP");
        await("all threads stopped", this::isPaused);
    }

    /** Continues its process. */
    void resume() throws IOException, InterruptedException
    {
        signal("CONT");
    }

    private void signal(final String name) throws IOException, InterruptedException
    {
        final String pid = Long.toString(instance.process.process().pid());
        assertThat(new ProcessBuilder("kill", "-" + name, pid).start().waitFor()).isZero();
    }

    private boolean isPaused() throws IOException
    {
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + instance.process.process().pid() + "/task")))
        {
            return threads.allMatch(thread -> state(thread) == STOPPED);
        }
    }

    /** The state follows the name of the thread, which may contain parentheses. A thread that has ended is stopped. */
    private static char state(final Path thread)
    {
        try
        {
            final String stat = Files.readString(thread.resolve("stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        }
        catch (final IOException ended)
        {
            return STOPPED;
        }
    }

    private void closeSenders() throws IOException
    {
        for (final Socket each : senders.values())
        {
            each.close();
        }
        senders.clear();
    }

    @Override
    public void close() throws IOException
    {
        closeSenders();
        instance.close();
    }
}
