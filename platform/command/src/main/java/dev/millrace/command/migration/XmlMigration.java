package dev.millrace.command.migration;

import dev.millrace.network.definition.SourcePosition;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Maps the class names in assembly files: values of the attribute {@code class}, and the element {@code class}. All
 * other elements, attributes and rules are accepted by the server as they are.
 */
record XmlMigration(OldNames names, MigrationReport report, Set<String> packages)
{
    private static final Pattern CLASS =
        Pattern.compile("(\\bclass\\s*=\\s*[\"']|<(?:[\\w.-]+:)?class>)\\s*([\\w$]+(?:\\.[\\w$]+)+)");

    /**
     * Maps a file. Encodings of which ASCII is a part are preserved.
     *
     * @param location of the file or entry, for messages
     */
    byte[] migrate(final String location, final byte[] bytes)
    {
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        final String migrated = CLASS.matcher(text).replaceAll(found -> Matcher.quoteReplacement(
            found.group(1) + mapped(location, text, found.start(2), found.group(2))));
        return migrated.getBytes(StandardCharsets.ISO_8859_1);
    }

    private String mapped(final String location, final String text, final int offset, final String name)
    {
        final String target = names.counterpart(name);
        final String used = target == null ? name : target;
        packages.add(used.substring(0, used.lastIndexOf('.')));
        if (target != null)
        {
            report.mapped(name, target);
            return target;
        }
        final String hint = names.hint(name);
        if (hint != null)
        {
            report.noCounterpart(position(location, text, offset), name, hint);
        }
        return name;
    }

    static SourcePosition position(final String location, final String text, final int offset)
    {
        final String before = text.substring(0, offset);
        return new SourcePosition(
            location, 1 + (int)before.chars().filter(each -> each == '\n').count(), offset - before.lastIndexOf('\n'));
    }

    /** Whether an entry of a bundle is a file that this class maps. */
    static boolean isAssembly(final String entry)
    {
        return entry.endsWith(".xml") && (entry.contains("META-INF/spring/") || entry.contains("META-INF/wlevs/"));
    }
}
