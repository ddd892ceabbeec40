package dev.millrace.cluster.deployment;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a group is to have deployed under one name, and what it had before. Immutable.
 *
 * @param name      symbolic name
 * @param group     whose members it is for
 * @param version   one more with each change, also beyond an uninstall
 * @param content   bundle and settings
 * @param suspended whether it is to stand still
 * @param deleted   whether it is to be gone; stays, so that a member that was away does not bring it back
 * @param startNs   how long it may take to start on each member; 0 for the usual limit
 * @param change    that made this version
 * @param history   versions before, in order, as many as are kept; an uninstall ends them
 */
record Document(String name, String group, long version, Content content, boolean suspended, boolean deleted,
    long startNs, Change change, List<Past> history)
{
    /** Versions that are kept beside the present one. */
    static final int MAX_PAST = 30;

    /** Of the settings of all versions before; older ones are forgotten first. */
    static final long MAX_PAST_CHARS = 1 << 20;

    /** The change that resumes. */
    static final String RESUME = "resume";

    private static final Gson GSON = new Gson();

    /**
     * A version before.
     *
     * @param version number
     * @param content bundle and settings
     * @param change  that made it
     */
    record Past(long version, Content content, Change change)
    {
    }

    Document
    {
        history = List.copyOf(history);
    }

    /** An application that comes to a group, after what was uninstalled before under its name. */
    static Document first(final String name, final String group, final Optional<Document> before,
        final Content content, final long startNs, final Change change)
    {
        return new Document(name, group, before.map(Document::version).orElse(0L) + 1, content, false, false, startNs,
            change, List.of());
    }

    static Document of(final byte[] json)
    {
        return GSON.fromJson(new String(json, StandardCharsets.UTF_8), Document.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    /** With other content. */
    Document with(final Content next, final Change by)
    {
        return with(next, startNs, by);
    }

    /** With other content and another limit for its start. */
    Document with(final Content next, final long nextStartNs, final Change by)
    {
        return new Document(name, group, version + 1, next, suspended, false, nextStartNs, by, nextHistory());
    }

    Document withSuspended(final boolean standing, final Change by)
    {
        return new Document(name, group, version + 1, content, standing, deleted, startNs, by, nextHistory());
    }

    Document asDeleted(final Change by)
    {
        return new Document(name, group, version + 1, content, false, true, startNs, by, List.of());
    }

    /** Whether the last change was to resume it, also when it was not suspended. */
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

    /** This version without what was before. */
    Past present()
    {
        return new Past(version, content, change);
    }

    /** A version before. */
    Optional<Past> past(final long number)
    {
        return history.stream().filter(each -> each.version() == number).findFirst();
    }

    /** The number of the latest version with this content; 0 when none is known. */
    long versionOf(final Content some)
    {
        if (content.isLike(some))
        {
            return version;
        }
        return history.stream().filter(each -> each.content().isLike(some)).mapToLong(Past::version).max().orElse(0);
    }
}
