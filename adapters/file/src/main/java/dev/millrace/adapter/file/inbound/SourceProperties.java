package dev.millrace.adapter.file.inbound;

import dev.millrace.adapter.common.property.PropertyCheck;
import dev.millrace.adapter.file.property.FileErrorCode;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
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
    private PropertyCheck check;

    /**
     * Validates all properties.
     *
     * @param hasLines whether the format has lines, and so may use their properties
     * @throws IllegalArgumentException for the first invalid property, with code and next step
     */
    SourceSettings check(final boolean hasLines, final String application, final String stage)
    {
        check = new PropertyCheck(FileErrorCode.PROPERTY, application + '/' + stage);
        final SourceMode checkedMode = mode();
        final boolean isDirectory = checkedMode == SourceMode.DIRECTORY;
        if (!hasLines)
        {
            checkWhole(checkedMode);
        }
        final Path path = isDirectory ? check.path("directory", directory) :
            check.path("file", file);
        final char checkedSeparator = check.separator(separator);
        check.require("separator", separator, checkedSeparator < 128, "use an ASCII character");
        check.range("maxLineBytes", maxLineBytes, MIN_LINE_BYTES, MAX_LINE_BYTES);
        check.range("pollMillis", pollMillis, 1, MAX_MILLIS);
        check.range("maxRetryMillis", maxRetryMillis, 1, MAX_MILLIS);
        check.range("repeat", repeat, 0, Integer.MAX_VALUE);
        check.require("repeat", String.valueOf(repeat), repeat == 1 || checkedMode == SourceMode.ONCE,
            "leave it out, or set mode to once");
        check.require("file", file, checkedMode != SourceMode.TAIL || !file.strip().endsWith(".gz"),
            "compressed files do not grow line by line: set mode to once or directory");
        check.require("timeUnit", timeUnit, UNITS_NS.containsKey(timeUnit), "use ns, us, ms or s");
        return new SourceSettings(check, checkedMode, path, pattern(), positions(application, stage),
            check.names("columns", columns,
                "list properties in the order of the fields, separated by commas; - skips a field"),
            header, checkedSeparator, nullText, check.is("missing", missing, "null", "reject"), charset(), maxLineBytes,
            timeColumn, UNITS_NS.get(timeUnit), speed(), repeat, check.is("startAt", startAt, "end", "beginning"),
            afterRead(isDirectory), moveTo(), pollMillis, maxRetryMillis);
    }

    /** Refuses the properties of lines for files that have none. */
    private void checkWhole(final SourceMode checkedMode)
    {
        final String next = "leave it out: files of Parquet have no lines";
        check.require("mode", mode, checkedMode != SourceMode.TAIL,
            "use once or directory: a Parquet file can be read when it is complete");
        check.require("header", String.valueOf(header), header, next);
        check.require("separator", separator, separator.equals(","), next);
        check.require("nullText", nullText, nullText == null, next);
        check.require("charset", charset, charset.equals("UTF-8"), next);
        check.require("maxLineBytes", String.valueOf(maxLineBytes), maxLineBytes == 1 << 16, next);
        check.require("columns", columns, columns == null || !check.names("columns", columns, next).contains("-"),
            "list properties only: columns of Parquet are found by their names");
    }

    private SourceMode mode()
    {
        final SourceMode checked = check.choice(SourceMode.class, "mode",
            mode == null ? directory == null ? "once" : "directory" : mode, "use once, tail or directory");
        final boolean isDirectory = checked == SourceMode.DIRECTORY;
        check.require("directory", directory, directory == null || isDirectory,
            "leave it out, or set mode to directory");
        check.require("file", file, file == null || !isDirectory, "leave it out, or set mode to once or tail");
        return checked;
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
            throw check.wrong("pattern", pattern, "use a pattern such as *.csv or *.{csv,gz}");
        }
    }

    private Path positions(final String application, final String stage)
    {
        return check.path("positionFile", positionFile != null ? positionFile :
            "var/state/" + application + '/' + stage.replaceAll("[^\\p{Alnum}._-]", "_") + ".positions");
    }

    private Charset charset()
    {
        try
        {
            return Charset.forName(charset.strip());
        }
        catch (final IllegalCharsetNameException | UnsupportedCharsetException e)
        {
            throw check.wrong("charset", charset, "use a charset such as UTF-8 or ISO-8859-1");
        }
    }

    private double speed()
    {
        if (speed.equals("max"))
        {
            return 0;
        }
        check.require("timeColumn", timeColumn, timeColumn != null,
            "name the property by which rows are timed, or set speed to max");
        try
        {
            final double factor = Double.parseDouble(speed);
            check.require("speed", speed, factor > 0 && factor <= MAX_SPEED, "use a number above 0, or max");
            return factor;
        }
        catch (final NumberFormatException e)
        {
            throw check.wrong("speed", speed, "use a number above 0, or max");
        }
    }

    private AfterRead afterRead(final boolean isDirectory)
    {
        final AfterRead checked = check.choice(AfterRead.class, "afterRead", afterRead, "use keep, delete or move");
        check.require("afterRead", afterRead, checked == AfterRead.KEEP || isDirectory, "set mode to directory");
        check.require("moveTo", moveTo, (moveTo != null) == (checked == AfterRead.MOVE),
            "name a directory if afterRead is move; otherwise leave it out");
        return checked;
    }

    private Path moveTo()
    {
        return moveTo == null ? null : check.path("moveTo", moveTo);
    }
}
