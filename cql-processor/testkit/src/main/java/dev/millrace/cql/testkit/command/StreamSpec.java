package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import dev.millrace.api.event.EventProperty;
import dev.millrace.api.event.EventType;
import dev.millrace.cql.language.problem.Suggestions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A source as specified on the command line: {@code NAME=FILE:column type,column type}, without file for explaining.
 *
 * @param name     in statements
 * @param file     name of a CSV file, {@link #STANDARD_INPUT}, or {@code null} without
 * @param type     row type
 * @param relation whether rows begin with their kind: {@code +}, {@code -} or {@code U}
 * @param key      columns of the primary key, empty without
 */
record StreamSpec(String name, String file, EventType type, boolean relation, List<String> key)
{
    /** File name that means the standard input. */
    static final String STANDARD_INPUT = "-";

    private static final List<String> TYPES =
        Arrays.stream(CqlType.values()).map(CqlType::cqlName).toList();

    private static final String TYPE_LIST = String.join(", ", TYPES) + ", also string (char) and decimal (bigdecimal)";

    private static final Pattern FORM =
        Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_$#]*)(?:=(.+?))?:([^:]*)", Pattern.DOTALL);
    private static final Pattern KEY =
        Pattern.compile(",\\s*primary\\s+key\\s*\\(([^)]*)\\)\\s*$", Pattern.CASE_INSENSITIVE);

    static StreamSpec parse(final String text, final boolean relation)
    {
        final Matcher parts = FORM.matcher(text);
        if (!parts.matches())
        {
            throw ToolException.usage("CMD-0303", "source is not of the form NAME=FILE:COLUMNS, source=" + text,
                "for example 'S=ticks.csv:symbol char,price double'; --infer reads the columns from the file");
        }
        final List<String> key = new ArrayList<>();
        final Matcher keyPart = KEY.matcher(parts.group(3));
        if (keyPart.find())
        {
            for (final String column : keyPart.group(1).split(","))
            {
                key.add(column.strip());
            }
        }
        final List<EventProperty> columns = new ArrayList<>();
        for (final String column : keyPart.replaceFirst("").split(",(?![^(]*\\))"))
        {
            columns.add(column(column.strip(), text));
        }
        return new StreamSpec(parts.group(1), parts.group(2), type(parts.group(1), columns, key, text), relation, key);
    }

    private static EventType type(
        final String name, final List<EventProperty> columns, final List<String> key, final String source)
    {
        final Set<String> names = new HashSet<>();
        for (final EventProperty column : columns)
        {
            if (!names.add(column.name().toLowerCase(Locale.ROOT)))
            {
                throw ToolException.usage("CMD-0304", "two columns have one name, column=" + column.name() +
                    " source=" + source, "give each column a different name");
            }
        }
        for (final String column : key)
        {
            if (!names.contains(column.toLowerCase(Locale.ROOT)))
            {
                throw ToolException.usage("CMD-0304", "the primary key has an unknown column, column=" + column +
                    " source=" + source, "name columns of the source");
            }
        }
        return EventType.tuple(name, columns.toArray(new EventProperty[0]));
    }

    private static EventProperty column(final String text, final String source)
    {
        final String[] words = text.split("\\s+");
        final CqlType type = words.length == 2 ? CqlType.byName(words[1].replaceFirst("\\(.*", "")) : null;
        if (type == null)
        {
            final String meant = words.length == 2 ? Suggestions.didYouMean(words[1], TYPES) : null;
            throw ToolException.usage("CMD-0304", "column is not of the form NAME TYPE, column=" + text + " source=" +
                source, (meant == null ? "" : meant + " ") + "types are " + TYPE_LIST);
        }
        return new EventProperty(words[0], type);
    }

    boolean isStandardInput()
    {
        return STANDARD_INPUT.equals(file);
    }

    /** Index of a column, case-insensitive; -1 if none exists. */
    int indexOf(final String column)
    {
        for (int i = 0; i < type.properties().size(); i++)
        {
            if (type.properties().get(i).name().equalsIgnoreCase(column))
            {
                return i;
            }
        }
        return -1;
    }

    /** Checks that its file can be read, before anything runs. */
    void checkReadable()
    {
        if (file == null)
        {
            throw ToolException.usage("CMD-0307", "source has no file, source=" + name,
                "write --" + (relation ? "relation" : "stream") + " '" + name + "=FILE:COLUMNS'");
        }
        if (!isStandardInput() && (!Files.isReadable(Path.of(file)) || Files.isDirectory(Path.of(file))))
        {
            throw new ToolException("CMD-0307", "file of a source cannot be read, source=" + name + " file=" + file,
                "specify the path of a CSV file, or - for the standard input");
        }
    }
}
