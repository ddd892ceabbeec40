package dev.millrace.command.instance;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * A plan for numbered copies of a domain, whose ports are those of the source plus a multiple of a step. A plan is
 * created only when it can be executed. Not thread-safe.
 */
public final class ClonePlan
{
    /** Default difference between the ports of consecutive copies. */
    public static final int DEFAULT_STEP = 100;

    /** Names that are safe in scripts, XML files and URLs. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    /** Maximum number of conflicts in a message. */
    private static final int MAX_SHOWN = 10;

    private final Domain source;

    private final DomainFiles files;

    private final Wish wish;

    private final List<NamedPort> sourcePorts;

    /**
     * The user's options.
     *
     * @param prefix    prefix of the names
     * @param first     number of the first copy
     * @param count     number of copies
     * @param step      difference between the ports of consecutive copies
     * @param portsFrom lowest port of the first copy; empty: that of the source plus the number of the copy times the
     *                  step
     * @param sets      processors of the copies
     */
    public record Wish(String prefix, int first, int count, int step, OptionalInt portsFrom, ProcessorSets sets)
    {
    }

    private ClonePlan(final Domain source, final Wish wish) throws IOException
    {
        this.source = source;
        this.wish = wish;
        this.files = DomainFiles.read(source.directory());
        this.sourcePorts = files.ports();
    }

    /**
     * Plans copies.
     *
     * @param source domain to copy
     * @param wish   options
     * @return a plan without conflicts at this time
     * @throws IOException      when files cannot be read
     * @throws CommandException with all conflicts, and how to avoid them
     */
    public static ClonePlan of(final Domain source, final Wish wish) throws IOException
    {
        final ClonePlan plan = new ClonePlan(source, wish);
        plan.checkNames();
        plan.checkPorts();
        return plan;
    }

    private Path parent()
    {
        return source.directory().getParent();
    }

    private List<String> names()
    {
        final List<String> names = new ArrayList<>();
        for (int i = 0; i < wish.count(); i++)
        {
            names.add(wish.prefix() + (wish.first() + i));
        }
        return names;
    }

    private void checkNames() throws IOException
    {
        if (!NAME.matcher(wish.prefix()).matches())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0118", "invalid prefix, prefix=" + wish.prefix(),
                "use letters, digits, and . _ -, for example --prefix market");
        }
        final List<String> there = names().stream()
            .filter(name -> Files.exists(parent().resolve(name), LinkOption.NOFOLLOW_LINKS)).toList();
        if (!there.isEmpty())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0114",
                "target already exists, names=" + there + " directory=" + parent(),
                "choose other names with --prefix NAME, continue after them with --first NUMBER, or remove them");
        }
        if (files.serverName().isPresent())
        {
            checkServerNames();
        }
    }

    private void checkServerNames() throws IOException
    {
        for (final Domain other : Domain.below(parent()))
        {
            final String name = DomainFiles.read(other.directory()).serverName().orElse("");
            if (names().contains(name))
            {
                throw new CommandException(ExitCode.USAGE, "CMD-0119",
                    "another member of the cluster already has this name, server-name=" + name + " domain="
                    + other.directory(),
                    "change server-name in its config/config.xml, or choose other names with --prefix NAME");
            }
        }
    }

    private int offset(final int copy)
    {
        return wish.portsFrom().isPresent() ?
            wish.portsFrom().getAsInt() - lowest(sourcePorts) + copy * wish.step() :
            (wish.first() + copy) * wish.step();
    }

    private List<NamedPort> ports(final int copy, final int more)
    {
        return sourcePorts.stream().map(port -> port.shifted(offset(copy) + more)).toList();
    }

    private void checkPorts() throws IOException
    {
        final List<String> conflicts = conflicts(0, Integer.MAX_VALUE);
        if (!conflicts.isEmpty())
        {
            final List<String> shown = conflicts.subList(0, Math.min(MAX_SHOWN, conflicts.size()));
            throw new CommandException(ExitCode.FAILED, "CMD-0116", "ports are in use, nothing was copied, ports=" +
                shown + (shown.size() < conflicts.size() ? " of " + conflicts.size() : ""), wayOut());
        }
    }

    /** Returns conflicts, up to a limit, when a number is added to every port. */
    private List<String> conflicts(final int more, final int limit) throws IOException
    {
        final PortUsage claims = PortUsage.below(parent());
        final List<String> conflicts = new ArrayList<>();
        for (int copy = 0; copy < wish.count() && conflicts.size() < limit; copy++)
        {
            conflicts.addAll(claims.conflicts(ports(copy, more)));
            claims.claim(names().get(copy), ports(copy, more));
        }
        return conflicts;
    }

    private String wayOut() throws IOException
    {
        for (int more = DEFAULT_STEP; more < NamedPort.MAX; more += DEFAULT_STEP)
        {
            if (conflicts(more, 1).isEmpty())
            {
                return "--ports-from " + lowest(ports(0, more)) + " avoids all conflicts";
            }
        }
        return "choose the lowest port of the first copy with --ports-from PORT and the difference between copies" +
            " with --port-step N";
    }

    private static int lowest(final List<NamedPort> ports)
    {
        return ports.stream().mapToInt(NamedPort::number).filter(port -> port != 0).min().orElse(0);
    }

    public int count()
    {
        return wish.count();
    }

    /**
     * Creates one copy in the staging directory; it gets its name when all copies are published.
     *
     * @param number number from 0
     * @param staged where to create it
     * @throws IOException when files cannot be read
     */
    public void copy(final int number, final DomainStaging staged) throws IOException
    {
        final String name = names().get(number);
        final Path copy = staged.add(source.directory(), name, DomainStaging.OF_A_RUN);
        wish.sets().apply(files, number).renumbered(port -> port.shifted(offset(number))).serverName(name)
            .identityRaised(wish.first() + number).write(copy);
    }
}
