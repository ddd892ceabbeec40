package dev.millrace.command;

import com.google.gson.JsonObject;
import dev.millrace.command.instance.GroupClient;
import dev.millrace.command.instance.Target;
import java.io.IOException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option that means all members of a group instead of one instance. */
final class GroupOption
{
    @Option(
        names = "--group", paramLabel = "GROUP",
        description = "Does it on all members of a group of the cluster: all, the name of a group, or the name of a" +
            " server. Any member can be asked. Returns 1 when a member could not do it.")
    private String group;

    boolean isNone()
    {
        return group == null;
    }

    GroupClient of(final Target target) throws IOException
    {
        return target.client().group(group);
    }

    /** For commands that concern groups alone. */
    GroupClient needed(final Target target) throws IOException
    {
        if (isNone())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0183", "only groups keep versions, missing=--group",
                "add --group all, the name of a group, or the name of a server");
        }
        return of(target);
    }

    /** A change of what a group has. */
    @FunctionalInterface
    interface Work
    {
        JsonObject run(GroupClient members) throws IOException, InterruptedException;
    }

    /**
     * Does it, says every two seconds who has not answered yet, and prints the answers.
     *
     * @return exit code
     */
    int change(final Target target, final CommandSpec spec, final String application, final Work work)
        throws IOException, InterruptedException
    {
        return new GroupLines(spec.commandLine().getOut()).print(answer(of(target), spec, application, work));
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
