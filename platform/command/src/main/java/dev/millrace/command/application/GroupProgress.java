package dev.millrace.command.application;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.management.GroupClient;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Prints every two seconds which members have not responded, while a command waits for a group. A dedicated thread
 * queries the same instance; if the instance does not respond, the command itself reports it.
 */
final class GroupProgress implements AutoCloseable
{
    private static final int STEP_SECONDS = 2;

    private final GroupClient members;
    private final String application;
    private final PrintWriter out;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "millrace-progress");

    GroupProgress(final GroupClient members, final String application, final PrintWriter out)
    {
        this.members = members;
        this.application = application;
        this.out = out;
        thread.setDaemon(true);
    }

    void begin()
    {
        thread.start();
    }

    private void run()
    {
        try
        {
            int seconds = STEP_SECONDS;
            while (!closed.await(STEP_SECONDS, TimeUnit.SECONDS))
            {
                show(seconds);
                seconds += STEP_SECONDS;
            }
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void show(final int seconds) throws InterruptedException
    {
        final List<String> missing;
        try
        {
            missing = missing(members.progress(application));
        }
        catch (final CommandException notYet)
        {
            out.println("waiting for the addressed instance, " + seconds + " s: " +
                notYet.getMessage().lines().findFirst().orElse(""));
            out.flush();
            return;
        }
        if (!missing.isEmpty() && closed.getCount() > 0)
        {
            out.println("waiting for " + String.join(", ", missing) + ", " + seconds + " s");
            out.flush();
        }
    }

    /** Returns the names of the members that have not responded. */
    static List<String> missing(final JsonObject progress)
    {
        final List<String> names = new ArrayList<>();
        for (final JsonElement each : progress.getAsJsonArray("members"))
        {
            if (each.getAsJsonObject().get("answer").getAsString().equals("NONE"))
            {
                names.add(each.getAsJsonObject().get("serverName").getAsString());
            }
        }
        return names;
    }

    @Override
    public void close()
    {
        closed.countDown();
    }
}
