package dev.millrace.cql.testkit.command;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.TimestampParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Infers the columns of a stream from its file: names from the first line, types from the rows after it. Stateless. */
final class InferredColumns
{
    private static final int MAX_ROWS = 1_000;
    private static final Pattern FORM = Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_$#]*)=(.+)", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*");
    private static final Pattern WHOLE = Pattern.compile("[+-]?\\d{1,18}");
    private static final Pattern DECIMAL = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d{1,3})?");

    private InferredColumns()
    {
    }

    /** A source with the columns of its file; unchanged when it specifies its columns. */
    static String complete(final String source)
    {
        final Matcher parts = FORM.matcher(source);
        return parts.matches() && Files.isRegularFile(Path.of(parts.group(2)))
            ? source + ":" + columns(Path.of(parts.group(2))) : source;
    }

    private static String columns(final Path file)
    {
        try (BufferedReader reader = Files.newBufferedReader(file))
        {
            final String header = reader.readLine();
            final List<String> names = header == null ? List.of()
                : CsvInput.fields(header).stream().map(String::strip).toList();
            if (names.isEmpty() || !names.stream().allMatch(name -> NAME.matcher(name).matches()))
            {
                throw ToolException.usage("CMD-0315", "the first line has no names of columns, file=" + file,
                    "write the columns after the file: NAME=FILE:COLUMN TYPE,...");
            }
            final List<CqlType> types = types(reader, names.size());
            final List<String> columns = new ArrayList<>();
            for (int i = 0; i < names.size(); i++)
            {
                columns.add(names.get(i) + ' ' + types.get(i).cqlName());
            }
            return String.join(",", columns);
        }
        catch (final IOException failure)
        {
            throw new ToolException("CMD-0315", "columns cannot be read, file=" + file + " cause=" + failure,
                "write the columns after the file: NAME=FILE:COLUMN TYPE,...");
        }
    }

    private static List<CqlType> types(final BufferedReader reader, final int columns) throws IOException
    {
        final CqlType[] types = new CqlType[columns];
        String line = reader.readLine();
        for (int row = 0; row < MAX_ROWS && line != null; row++)
        {
            final List<String> fields = CsvInput.fields(line);
            for (int i = 0; i < Math.min(columns, fields.size()); i++)
            {
                final String field = fields.get(i).strip();
                if (!field.isEmpty() && !field.equals("null"))
                {
                    types[i] = common(types[i], type(field));
                }
            }
            line = reader.readLine();
        }
        final List<CqlType> found = new ArrayList<>();
        for (final CqlType type : types)
        {
            found.add(type == null ? CqlType.CHAR : type);
        }
        return found;
    }

    /** Integers are bigint, so that a greater one in a later row also fits. */
    private static CqlType type(final String field)
    {
        if (WHOLE.matcher(field).matches())
        {
            return CqlType.BIGINT;
        }
        if (DECIMAL.matcher(field).matches() && new BigDecimal(field).precision() <= 17)
        {
            return CqlType.DOUBLE;
        }
        if (field.equalsIgnoreCase("true") || field.equalsIgnoreCase("false"))
        {
            return CqlType.BOOLEAN;
        }
        return TimestampParser.timestamp(field) == null ? CqlType.CHAR : CqlType.TIMESTAMP;
    }

    private static CqlType common(final CqlType before, final CqlType now)
    {
        if (before == null || before == now)
        {
            return now;
        }
        return before.isNumeric() && now.isNumeric() ? CqlType.DOUBLE : CqlType.CHAR;
    }
}
