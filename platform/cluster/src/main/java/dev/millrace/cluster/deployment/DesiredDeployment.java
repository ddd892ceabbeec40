package dev.millrace.cluster.deployment;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Desired deployment of a group under one name, with its history. Immutable.
 *
 * @param name      symbolic name
 * @param group     the members it applies to
 * @param version   increases with each change, including an uninstall
 * @param content   bundle and settings
 * @param suspended whether the application is suspended
 * @param deleted   whether the application is uninstalled; the document remains, so that a member that was absent does
 * not restore it
 * @param startNs   start limit per member; 0 for the default
 * @param change    that made this version
 * @param history   previous versions in order, up to a limit; an uninstall clears them
 */
record DesiredDeployment(String name, String group, long version, DeploymentContent content, boolean suspended,
    boolean deleted,
    long startNs, ChangeRecord change, List<Past> history)
{
    /** Maximum number of previous versions. */
    static final int MAX_PAST = 30;

    /** Maximum size of the settings of all previous versions; the oldest versions are discarded first. */
    static final long MAX_PAST_CHARS = 1 << 20;

    /** The change that resumes an application. */
    static final String RESUME = "resume";

    private static final Gson GSON = new Gson();

    /**
     * A previous version.
     *
     * @param version number
     * @param content bundle and settings
     * @param change  that made it
     */
    record Past(long version, DeploymentContent content, ChangeRecord change)
    {
    }

    DesiredDeployment
    {
        history = List.copyOf(history);
    }

    /**
     * Creates the first version of an application in a group; its number follows that of an uninstalled document of the
     * same name.
     */
    static DesiredDeployment first(final String name, final String group, final Optional<DesiredDeployment> before,
        final DeploymentContent content, final long startNs, final ChangeRecord change)
    {
        return new DesiredDeployment(name, group, before.map(DesiredDeployment::version).orElse(0L) + 1, content, false,
            false, startNs,
            change, List.of());
    }

    static DesiredDeployment of(final byte[] json)
    {
        return GSON.fromJson(new String(json, StandardCharsets.UTF_8), DesiredDeployment.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    /** Returns a version with other content. */
    DesiredDeployment with(final DeploymentContent next, final ChangeRecord by)
    {
        return with(next, startNs, by);
    }

    /** Returns a version with other content and another start limit. */
    DesiredDeployment with(final DeploymentContent next, final long nextStartNs, final ChangeRecord by)
    {
        return new DesiredDeployment(name, group, version + 1, next, suspended, false, nextStartNs, by, nextHistory());
    }

    DesiredDeployment withSuspended(final boolean standing, final ChangeRecord by)
    {
        return new DesiredDeployment(name, group, version + 1, content, standing, deleted, startNs, by, nextHistory());
    }

    DesiredDeployment asDeleted(final ChangeRecord by)
    {
        return new DesiredDeployment(name, group, version + 1, content, false, true, startNs, by, List.of());
    }

    /** Whether the last change was a resume, also when the application was not suspended. */
    boolean asksToResume()
    {
        return change.what().equals(RESUME);
    }

    private List<Past> nextHistory()
    {
        final List<Past> next = new ArrayList<>(history);
        next.add(present());
        long chars = next.stream().mapToLong(each -> each.content().settings().sizeChars()).sum();
        while (next.size() > MAX_PAST || chars > MAX_PAST_CHARS)
        {
            chars -= next.remove(0).content().settings().sizeChars();
        }
        return next;
    }

    /** This version as an entry of the history. */
    Past present()
    {
        return new Past(version, content, change);
    }

    /** Finds a previous version. */
    Optional<Past> past(final long number)
    {
        return history.stream().filter(each -> each.version() == number).findFirst();
    }

    /** The number of the latest version with this content; 0 when none is known. */
    long versionOf(final DeploymentContent some)
    {
        if (content.isLike(some))
        {
            return version;
        }
        return history.stream().filter(each -> each.content().isLike(some)).mapToLong(Past::version).max().orElse(0);
    }
}
