package dev.millrace.cql.language.functions;

import dev.millrace.api.event.CqlType;
import dev.millrace.cql.language.types.FunctionLookup.Signature;
import dev.millrace.cql.plan.expression.FunctionRef;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the text files of the built-in functions. Throws if they contain an error, which is a defect. */
final class CatalogReader
{
    private static final String PACKAGE = "dev.millrace.cql.functions.";
    private static final Pattern HEAD = Pattern.compile("(\\w+)\\((.*)\\) (\\S+)");
    private static final Set<CqlType> ORDERED = EnumSet.of(CqlType.INT, CqlType.BIGINT, CqlType.FLOAT, CqlType.DOUBLE,
        CqlType.BIGDECIMAL, CqlType.CHAR, CqlType.TIMESTAMP, CqlType.INTERVAL);

    /** A line of a file. */
    record Line(FunctionDescription description, String target, String flags, boolean isVariadic)
    {
        boolean has(final char flag)
        {
            return flags.indexOf(flag) >= 0;
        }

        FunctionRef function()
        {
            final int dot = target.lastIndexOf('.');
            return new FunctionRef(description.name(), PACKAGE + target.substring(0, dot), target.substring(dot + 1),
                null, has('n'), !has('v'));
        }

        /** One signature per type that the wildcards can represent. */
        List<Signature> signatures(final Object called)
        {
            final String types = description.arguments() + ' ' + description.result();
            final Set<CqlType> any = types.indexOf('*') >= 0 ? EnumSet.allOf(CqlType.class)
                : types.indexOf('#') >= 0 ? ORDERED : EnumSet.of(CqlType.OBJECT);
            final List<Signature> signatures = new ArrayList<>();
            for (final CqlType star : any)
            {
                final Function<String, CqlType> typed =
                    name -> name.equals("*") || name.equals("#") ? star : type(name);
                final List<CqlType> arguments = new ArrayList<>();
                for (final String argument : description.arguments().split(","))
                {
                    if (!argument.isBlank())
                    {
                        arguments.add(typed.apply(argument.replace("...", "").strip()));
                    }
                }
                signatures.add(new Signature(arguments, isVariadic, typed.apply(description.result()), called));
            }
            return signatures;
        }

        private static CqlType type(final String name)
        {
            return CqlType.valueOf(name.toUpperCase(Locale.ROOT));
        }
    }

    private CatalogReader()
    {
    }

    static List<Line> read(final String resource, final boolean isAggregate)
    {
        final List<Line> lines = new ArrayList<>();
        String group = "";
        for (final String text : text(resource).split("\n"))
        {
            if (text.startsWith("["))
            {
                group = text.substring(1, text.indexOf(']'));
            }
            else if (!text.isBlank() && !text.startsWith("#"))
            {
                lines.add(line(group, text, isAggregate));
            }
        }
        return lines;
    }

    private static Line line(final String group, final String text, final boolean isAggregate)
    {
        final String[] parts = text.split(" \\|", -1);
        final Matcher head = HEAD.matcher(parts[0]);
        if (!head.matches() || parts.length != 5)
        {
            throw new IllegalStateException("invalid line in the function catalog, line=" + text);
        }
        final String[] example = parts[4].split(" => ", 2);
        return new Line(new FunctionDescription(group, head.group(1), head.group(2), head.group(3), parts[3].strip(),
            example[0].strip(), example.length == 2 ? example[1].strip() : "", isAggregate, parts[2].indexOf('n') >= 0),
            parts[1].strip(), parts[2].strip(), head.group(2).endsWith("..."));
    }

    private static String text(final String resource)
    {
        try (InputStream stream = CatalogReader.class.getResourceAsStream(resource))
        {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException("function catalog cannot be read, resource=" + resource, failure);
        }
    }
}
