package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.file.property.InstanceProperty;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.PatternSyntaxException;

/** The instance properties of a source as set, and their validation. Not thread-safe. */
final class SourceProperties
{
    private static final int MAX_LINE_BYTES = 16 << 20;
    private static final int MIN_LINE_BYTES = 16;
    private static final int MAX_MILLIS = 3_600_000;
    private static final double MAX_SPEED = 1e9;
    private static final Map<String, Long> UNITS_NS = Map.of("ns", 1L, "us", 1_000L, "ms", 1_000_000L, "s",
        1_000_000_000L);

    String file;
    String directory;
    String mode;
    String pattern = "*";
    String columns;
    boolean header = true;
    String separator = ",";
    String nullText;
    String missing = "reject";
    String charset = "UTF-8";
    int maxLineBytes = 1 << 16;
    String timeColumn;
    String timeUnit = "ns";
    String speed = "max";
    int repeat = 1;
    String startAt = "beginning";
    String afterRead = "keep";
    String moveTo;
    int pollMillis = 200;
    int maxRetryMillis = 10_000;
    String positionFile;
    private String stageName;

    /**
     * Validates all properties.
     *
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(final String application, final String stage)
    {
        stageName = application + '/' + stage;
        final SourceMode checkedMode = mode();
        final boolean isDirectory = checkedMode == SourceMode.DIRECTORY;
        final Path path = isDirectory ? InstanceProperty.path(stageName, "directory", directory) :
            InstanceProperty.path(stageName, "file", file);
        final char checkedSeparator = InstanceProperty.separator(stageName, separator);
        require("separator", separator, checkedSeparator < 128, "use an ASCII character");
        InstanceProperty.range(stageName, "maxLineBytes", maxLineBytes, MIN_LINE_BYTES, MAX_LINE_BYTES);
        InstanceProperty.range(stageName, "pollMillis", pollMillis, 1, MAX_MILLIS);
        InstanceProperty.range(stageName, "maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        InstanceProperty.range(stageName, "repeat", repeat, 0, Integer.MAX_VALUE);
        require("repeat", String.valueOf(repeat), repeat == 1 || checkedMode == SourceMode.ONCE,
            "leave it out, or set mode to once");
        require("file", file, checkedMode != SourceMode.TAIL || !file.strip().endsWith(".gz"),
            "compressed files do not grow line by line: set mode to once or directory");
        require("timeUnit", timeUnit, UNITS_NS.containsKey(timeUnit), "use ns, us, ms or s");
        return new SourceSettings(stageName, checkedMode, path, pattern(), positions(application, stage), names(),
            header, checkedSeparator, nullText, is("missing", missing, "null", "reject"), charset(), maxLineBytes,
            timeColumn, UNITS_NS.get(timeUnit), speed(), repeat, is("startAt", startAt, "end", "beginning"),
            afterRead(isDirectory), moveTo(), pollMillis, maxRetryMillis);
    }

    private SourceMode mode()
    {
        final SourceMode checked = choice(SourceMode.class, "mode",
            mode == null ? directory == null ? "once" : "directory" : mode, "use once, tail or directory");
        final boolean isDirectory = checked == SourceMode.DIRECTORY;
        require("directory", directory, directory == null || isDirectory, "leave it out, or set mode to directory");
        require("file", file, file == null || !isDirectory, "leave it out, or set mode to once or tail");
        return checked;
    }

    private <E extends Enum<E>> E choice(final Class<E> of, final String name, final String value, final String next)
    {
        return Arrays.stream(of.getEnumConstants())
            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(value)).findFirst()
            .orElseThrow(() -> InstanceProperty.wrong(stageName, name, value, next));
    }

    private void require(final String name, final String value, final boolean isRight, final String next)
    {
        if (!isRight)
        {
            throw InstanceProperty.wrong(stageName, name, value, next);
        }
    }

    private boolean is(final String name, final String value, final String yes, final String no)
    {
        require(name, value, value.equals(yes) || value.equals(no), "use " + no + " or " + yes);
        return value.equals(yes);
    }

    private String pattern()
    {
        try
        {
            FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            return pattern;
        }
        catch (final PatternSyntaxException e)
        {
            throw InstanceProperty.wrong(stageName, "pattern", pattern, "use a pattern such as *.csv or *.{csv,gz}");
        }
    }

    private Path positions(final String application, final String stage)
    {
        return InstanceProperty.path(stageName, "positionFile", positionFile != null ? positionFile :
            "var/state/" + application + '/' + stage.replaceAll("[^\\p{Alnum}._-]", "_") + ".positions");
    }

    private List<String> names()
    {
        if (columns == null)
        {
            return null;
        }
        final List<String> names = Arrays.stream(columns.split(",", -1)).map(String::strip).toList();
        require("columns", columns, names.stream().noneMatch(String::isEmpty),
            "list properties in the order of the fields, separated by commas; - skips a field");
        return names;
    }

    private Charset charset()
    {
        try
        {
            return Charset.forName(charset.strip());
        }
        catch (final IllegalCharsetNameException | UnsupportedCharsetException e)
        {
            throw InstanceProperty.wrong(stageName, "charset", charset, "use a charset such as UTF-8 or ISO-8859-1");
        }
    }

    private double speed()
    {
        if (speed.equals("max"))
        {
            return 0;
        }
        require("timeColumn", timeColumn, timeColumn != null, "name the property by which rows are timed, or set " +
            "speed to max");
        try
        {
            final double factor = Double.parseDouble(speed);
            require("speed", speed, factor > 0 && factor <= MAX_SPEED, "use a number above 0, or max");
            return factor;
        }
        catch (final NumberFormatException e)
        {
            throw InstanceProperty.wrong(stageName, "speed", speed, "use a number above 0, or max");
        }
    }

    private AfterRead afterRead(final boolean isDirectory)
    {
        final AfterRead checked = choice(AfterRead.class, "afterRead", afterRead, "use keep, delete or move");
        require("afterRead", afterRead, checked == AfterRead.KEEP || isDirectory, "set mode to directory");
        require("moveTo", moveTo, (moveTo != null) == (checked == AfterRead.MOVE),
            "name a directory if afterRead is move; otherwise leave it out");
        return checked;
    }

    private Path moveTo()
    {
        return moveTo == null ? null : InstanceProperty.path(stageName, "moveTo", moveTo);
    }
}
