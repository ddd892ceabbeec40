package dev.millrace.distribution;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Executes the part of a batch file of Windows that determines the Java command: set, if with a comparison, defined or
 * a number, for over files, directories and the lines that findstr finds, and rem. Skips blocks in parentheses, which
 * print messages, and everything else that is listed here; fails for unknown commands. File names have slashes, and
 * the separator of class paths is that of Windows. Not thread-safe.
 */
final class BatchFile
{
    private static final String PERCENT = "%%";
    private static final Pattern VARIABLE = Pattern.compile("%(\\w+)(?::~(\\d+),(-?\\d+))?%|%~?([1-9])");
    private static final Pattern SET = Pattern.compile("(?:call )?set (?:\"(\\w+)=(.*)\"|(\\w+)=(.*))");
    private static final Pattern COMPARISON = Pattern.compile("if (not )?\"(.*?)\"==\"(.*?)\" (.*)");
    private static final Pattern DEFINED = Pattern.compile("if (not )?defined (\\w+) (.*)");
    private static final Pattern NUMBER = Pattern.compile("if (\\d+) geq (\\d+) (.*)");
    private static final Pattern FOR_FILES = Pattern.compile("for (/d )?%%([a-z]) in \\(\"(.*?)\"\\) do (.*)");
    private static final Pattern FOR_LINE = Pattern.compile(
        "for /f \"tokens=1\\* delims==\" %%a in \\('findstr /b \"(\\w+=)\" ([\\w.]+)'\\) do (.*)");
    private static final Pattern WORD = Pattern.compile("(?:\"[^\"]*\"|[^\\s\"])+");
    /** Conditions and commands with an effect outside the variables. */
    private static final Pattern WITHOUT_EFFECT = Pattern.compile(
        "@echo off|setlocal|cd .*|call \".*find-java.cmd\" .*|exit /b .*|if .*\\($|if .* mkdir .*|" +
        "echo .*\\| findstr .*");

    private final Path file;
    private final List<String> arguments;
    private final Map<String, String> variables = new HashMap<>();

    BatchFile(final Path file, final Map<String, String> environment, final String... arguments)
    {
        this.file = file;
        this.arguments = List.of(arguments);
        variables.putAll(environment);
    }

    /** Returns the words of the command that starts with {@code %java%}, after {@code %run%}. */
    List<String> javaCommand() throws IOException
    {
        final List<String> lines = Files.readString(file).replace("\r\n", "\n").replaceAll(" \\^\n *", " ").lines()
            .toList();
        boolean isBlock = false;
        for (final String line : lines)
        {
            if (isBlock || line.startsWith("rem ") || line.isBlank())
            {
                isBlock &= !line.equals(")");
            }
            else if (line.startsWith("\"%java%\"") || line.startsWith("%run% "))
            {
                return words(expanded(line));
            }
            else
            {
                isBlock = line.endsWith("(");
                execute(line);
            }
        }
        throw new AssertionError("no Java command in " + file);
    }

    private void execute(final String line) throws IOException
    {
        final Matcher forFiles = FOR_FILES.matcher(line);
        final Matcher forLine = FOR_LINE.matcher(line);
        if (forFiles.matches())
        {
            forFiles(forFiles);
        }
        else if (forLine.matches())
        {
            for (final String found : Files.readAllLines(file.resolveSibling(forLine.group(2))))
            {
                if (found.startsWith(forLine.group(1)))
                {
                    final String value = found.substring(forLine.group(1).length());
                    execute(forLine.group(3).replace("%%~b", value.replaceAll("^\"|\"$", "")));
                }
            }
        }
        else if (!WITHOUT_EFFECT.matcher(line).matches())
        {
            condition(expanded(line));
        }
    }

    private void condition(final String line) throws IOException
    {
        final Matcher comparison = COMPARISON.matcher(line);
        final Matcher defined = DEFINED.matcher(line);
        final Matcher number = NUMBER.matcher(line);
        final Matcher set = SET.matcher(line);
        if (comparison.matches())
        {
            then(comparison.group(2).equals(comparison.group(3)) == (comparison.group(1) == null),
                comparison.group(4));
        }
        else if (defined.matches())
        {
            final boolean is = !variables.getOrDefault(defined.group(2), "").isEmpty();
            then(is == (defined.group(1) == null), defined.group(3));
        }
        else if (number.matches())
        {
            then(Integer.parseInt(number.group(1)) >= Integer.parseInt(number.group(2)), number.group(3));
        }
        else if (set.matches())
        {
            final boolean isQuoted = set.group(1) != null;
            final String value = set.group(isQuoted ? 2 : 4);
            variables.put(set.group(isQuoted ? 1 : 3),
                line.startsWith("call ") ? expanded(value.replace(PERCENT, "%")) : value);
        }
        else
        {
            throw new AssertionError("unknown command in " + file + ": " + line);
        }
    }

    private void then(final boolean holds, final String command) throws IOException
    {
        if (holds)
        {
            execute(command);
        }
    }

    private void forFiles(final Matcher loop) throws IOException
    {
        final boolean isDirectory = loop.group(1) != null;
        final Path pattern = file.getParent().resolve(expanded(loop.group(3)).replace('\\', '/'));
        final List<Path> found = new ArrayList<>();
        if (pattern.toString().contains("*"))
        {
            final PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
            try (Stream<Path> files = Files.list(pattern.getParent()))
            {
                files.filter(each -> matcher.matches(each) && Files.isDirectory(each) == isDirectory).sorted()
                    .forEach(found::add);
            }
        }
        else
        {
            found.add(pattern.normalize());
        }
        for (final Path each : found)
        {
            execute(loop.group(4).replace("%%~f" + loop.group(2), each.toString())
                .replace("%%" + loop.group(2), each.toString()));
        }
    }

    /** Replaces variables, except those of loops and of called commands, which begin with two percent signs. */
    private String expanded(final String text)
    {
        final String prepared = text.replace(PERCENT, "\0").replace("%~dp0", file.getParent() + "/")
            .replace("%*", String.join(" ", arguments));
        return VARIABLE.matcher(prepared).replaceAll(found -> Matcher.quoteReplacement(found.group(4) == null ?
            value(found.group(1), found.group(2), found.group(3)) : argument(Integer.parseInt(found.group(4)))))
            .replace("\0", PERCENT);
    }

    private String argument(final int number)
    {
        return number > arguments.size() ? "" : arguments.get(number - 1);
    }

    private String value(final String name, final String begin, final String end)
    {
        final String value = variables.getOrDefault(name, "");
        return begin == null ? value :
            value.substring(Integer.parseInt(begin), value.length() + Integer.parseInt(end));
    }

    private static List<String> words(final String line)
    {
        return WORD.matcher(line).results().map(word -> word.group().replace("\"", "").replace('\\', '/')).toList();
    }
}
