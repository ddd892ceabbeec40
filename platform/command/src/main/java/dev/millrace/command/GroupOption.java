package dev.millrace.command;

import dev.millrace.command.instance.ManagementClient;
import dev.millrace.command.instance.Target;
import java.io.IOException;
import picocli.CommandLine.Option;

/** The option that means all members of a group instead of one instance. */
final class GroupOption
{
    @Option(
        names = "--group", paramLabel = "GROUP",
        description = "Does it on all members of a group of the cluster: all, a group of config.xml, or the name of a" +
            " server. Any member can be asked. Returns 1 when a member could not do it.")
    private String group;

    boolean isNone()
    {
        return group == null;
    }

    ManagementClient.Group of(final Target target) throws IOException
    {
        return target.client().group(group);
    }
}
