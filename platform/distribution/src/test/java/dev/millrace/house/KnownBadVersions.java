package dev.millrace.house;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Versions with known vulnerabilities, from known-bad-versions.txt. */
final class KnownBadVersions
{
    private static final Pattern NUMBERS = Pattern.compile("([0-9]+(?:\\.[0-9]+)*)(.*)");
    private static final Pattern BEFORE_RELEASE = Pattern.compile("(?i)[.-]?(alpha|beta|m|rc|cr|snapshot|ea).*");

    /**
     * A range of versions.
     *
     * @param artifact name, or a prefix of names with a star
     * @param from     first bad version
     * @param fixedIn  first good version above, or "-"
     * @param why      identifiers of the vulnerabilities
     */
    record Range(String artifact, String from, String fixedIn, String why)
    {
        boolean has(final String name, final String version)
        {
            final boolean isMeant = artifact.endsWith("*") ?
                name.startsWith(artifact.substring(0, artifact.length() - 1)) : name.equals(artifact);
            return isMeant && compare(version, from) >= 0 && (fixedIn.equals("-") || compare(version, fixedIn) < 0);
        }
    }

    private KnownBadVersions()
    {
    }

    static List<Range> read() throws IOException
    {
        try (InputStream in = KnownBadVersions.class.getResourceAsStream("/known-bad-versions.txt"))
        {
            final List<Range> ranges = new ArrayList<>();
            for (final String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList())
            {
                if (!line.isBlank() && !line.startsWith("#"))
                {
                    final String[] cells = line.strip().split("\\s+", 4);
                    ranges.add(new Range(cells[0], cells[1], cells[2], cells[3]));
                }
            }
            return ranges;
        }
    }

    /** Compares numbers, missing ones as 0; then pre-releases are lower, and other words are not. */
    static int compare(final String left, final String right)
    {
        final Matcher one = parts(left);
        final Matcher other = parts(right);
        final String[] ones = one.group(1).split("\\.");
        final String[] others = other.group(1).split("\\.");
        for (int i = 0; i < Math.max(ones.length, others.length); i++)
        {
            final int order = Long.compare(i < ones.length ? Long.parseLong(ones[i]) : 0,
                i < others.length ? Long.parseLong(others[i]) : 0);
            if (order != 0)
            {
                return order;
            }
        }
        return Boolean.compare(!BEFORE_RELEASE.matcher(one.group(2)).matches(),
            !BEFORE_RELEASE.matcher(other.group(2)).matches());
    }

    private static Matcher parts(final String version)
    {
        final Matcher matcher = NUMBERS.matcher(version);
        if (!matcher.matches())
        {
            throw new IllegalArgumentException("not a version: " + version);
        }
        return matcher;
    }
}
