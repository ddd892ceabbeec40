package dev.millrace.command.migration;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Maps the qualified names and imports in Java sources. Counterparts have the same simple names. */
record SourceMigration(OldNames names, MigrationReport report, Set<String> packages)
{
    private static final Pattern NAME = Pattern.compile("\\b(?:[a-z_][\\w]*\\s*\\.\\s*){2,}(?:[A-Z]\\w*|\\*)");
    private static final Pattern IMPORT = Pattern.compile("(?m)^([ \t]*)import\\s+([\\w.]+)\\.\\*\\s*;");
    private static final Pattern ANY_IMPORT = Pattern.compile("(?m)^[ \t]*import\\s+(?:static\\s+)?([\\w.]+)\\s*;");
    private static final Pattern GENERIC = Pattern.compile("\\b(CacheLoader|CacheStore)\\s*<");
    private static final Pattern COMMENT_OR_TEXT =
        Pattern.compile("(?s)//[^\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])+'");

    /**
     * Maps a source. Encodings of which ASCII is a part are preserved.
     *
     * @param location of the file or entry, for messages
     */
    byte[] migrate(final String location, final byte[] bytes)
    {
        final String text = new String(bytes, StandardCharsets.ISO_8859_1);
        final String explicit = IMPORT.matcher(text).replaceAll(found ->
            Matcher.quoteReplacement(imports(found.group(), found.group(1), found.group(2), code(text))));
        final Map<String, String> used = new TreeMap<>();
        final String migrated = NAME.matcher(explicit).replaceAll(found -> Matcher.quoteReplacement(
            mapped(found.group(), found.start(), location, explicit, used)));
        used.forEach(report::mapped);
        checkGenerics(location, code(migrated));
        ANY_IMPORT.matcher(migrated).results().map(found -> found.group(1)).filter(name -> name.indexOf('.') > 0)
            .forEach(name -> packages.add(name.substring(0, name.lastIndexOf('.'))));
        return migrated.getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Replaces comments and strings by spaces, so that positions stay the same. */
    private static String code(final String text)
    {
        return COMMENT_OR_TEXT.matcher(text).replaceAll(found -> found.group().replaceAll("[^\n]", " "));
    }

    /** Replaces an import of a whole package by imports of the classes of the table that the source names. */
    private String imports(final String original, final String indent, final String packageName, final String code)
    {
        final StringBuilder imports = new StringBuilder();
        for (final String name : names.known())
        {
            final String simpleName = name.substring(name.lastIndexOf('.') + 1);
            if (name.equals(packageName + '.' + simpleName) &&
                Pattern.compile("(?<![\\w.])" + simpleName + "\\b").matcher(code).find() &&
                !Pattern.compile("\\bimport\\s+[\\w.]+\\." + simpleName + "\\s*;").matcher(code).find())
            {
                imports.append(indent).append("import ").append(name).append(";\n");
            }
        }
        return imports.isEmpty() || names.packages().containsKey(packageName + '.') ? original :
            imports.substring(0, imports.length() - 1);
    }

    private String mapped(final String found, final int offset, final String location, final String text,
        final Map<String, String> used)
    {
        final String name = found.replaceAll("\\s", "");
        final String target = names.counterpart(name);
        if (target != null)
        {
            used.put(name, target);
            return target;
        }
        final String hint = names.hint(name);
        if (hint != null && code(text).startsWith(found, offset))
        {
            report.noCounterpart(XmlMigration.position(location, text, offset), name, hint);
        }
        return found;
    }

    private void checkGenerics(final String location, final String code)
    {
        for (final Matcher generic = GENERIC.matcher(code); generic.find();)
        {
            if (code.contains("dev.millrace.api.cache." + generic.group(1)))
            {
                report.problem("CMD-0286", XmlMigration.position(location, code, generic.start()),
                    "the counterpart has no type parameters, class=dev.millrace.api.cache." + generic.group(1),
                    "remove the type arguments, and change the parameters of its methods to Object, Collection<?> and "
                        + "Map<?, ?>, and their results to Object and Map<Object, Object>");
            }
        }
    }
}
