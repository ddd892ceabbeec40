package dev.millrace.command.application;

import com.google.gson.JsonObject;
import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import dev.millrace.command.instance.InstanceOptions;
import dev.millrace.command.management.GroupClient;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Selects all members of a group instead of one instance. */
final class GroupOption
{
    @Option(
        names = "--group", paramLabel = "GROUP",
        description = "Applies the command to every member of a cluster group: all, the name of a group, or the name" +
            " of a server. Any member accepts the command. Returns 1 when the command fails on a member.")
    private String group;

    boolean isNone()
    {
        return group == null;
    }

    GroupClient of(final InstanceOptions target) throws IOException
    {
        return target.client().group(group);
    }

    /** Returns the client, for commands that apply only to groups. */
    GroupClient needed(final InstanceOptions target) throws IOException
    {
        if (isNone())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0183", "only groups store versions, missing=--group",
                "add --group all, the name of a group, or the name of a server");
        }
        return of(target);
    }

    /** A change of a group. */
    @FunctionalInterface
    interface Work
    {
        JsonObject run(GroupClient members) throws IOException, InterruptedException;
    }

    /**
     * Executes a change, prints every two seconds which members have not responded yet, and prints the answers.
     *
     * @return exit code
     */
    int change(final InstanceOptions target, final CommandSpec spec, final String application, final Work work)
        throws IOException, InterruptedException
    {
        return new GroupReport(spec.commandLine().getOut()).print(answer(of(target), spec, application, work));
    }

    private static JsonObject answer(final GroupClient members, final CommandSpec spec,
        final String application, final Work work) throws IOException, InterruptedException
    {
        try (GroupProgress progress = new GroupProgress(members, application, spec.commandLine().getErr()))
        {
            progress.begin();
            return work.run(members);
        }
    }
}
