package dev.millrace.cql.testkit.docs;

import dev.millrace.cql.testkit.command.CqlTool;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A session of a shell as a document shows it: commands after {@code $}, then their output. {@code cat} of a missing
 * file creates it; of an existing file compares it. {@code millrace cql} runs; its files are in a directory of the
 * document, otherwise in the sources. A line {@code ...} matches any number of lines.
 */
final class Console
{
    private static final String PROMPT = "$ ";
    private static final String ANY = "...";

    private final Path folder;
    private int exit;

    Console(final Path folder)
    {
        this.folder = folder;
    }

    /** Runs a block; throws when the output differs from the document. */
    void run(final Fence fence) throws IOException
    {
        final List<String> lines = fence.lines();
        for (int at = 0; at < lines.size();)
        {
            if (!lines.get(at).startsWith(PROMPT))
            {
                throw new IllegalStateException(fence.place() + ": no command: " + lines.get(at));
            }
            final StringBuilder command = new StringBuilder(lines.get(at++).substring(PROMPT.length()));
            while (command.toString().endsWith("\\"))
            {
                command.setLength(command.length() - 1);
                command.append(lines.get(at++).strip());
            }
            final List<String> shown = new ArrayList<>();
            while (at < lines.size() && !lines.get(at).startsWith(PROMPT))
            {
                shown.add(lines.get(at++));
            }
            while (!shown.isEmpty() && shown.get(shown.size() - 1).isBlank())
            {
                shown.remove(shown.size() - 1);
            }
            command(fence, words(command.toString()), shown);
        }
    }

    private void command(final Fence fence, final List<String> words, final List<String> shown) throws IOException
    {
        final String name = words.get(0);
        if (name.equals("cat") && words.size() == 2 && !Files.exists(place(words.get(1))))
        {
            final Path file = folder.resolve(words.get(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, String.join("\n", shown) + "\n");
            return;
        }
        final List<String> printed;
        if (name.equals("cat") && words.size() == 2)
        {
            printed = Files.readString(place(words.get(1))).lines().toList();
        }
        else if (words.equals(List.of("echo", "$?")))
        {
            printed = List.of(Integer.toString(exit));
        }
        else if ((name.equals("millrace") || name.equals("./millrace")) && words.get(1).equals("cql"))
        {
            printed = tool(words.subList(2, words.size()));
        }
        else
        {
            throw new IllegalStateException(fence.place() + ": command cannot be tried: " + words);
        }
        if (!fits(printed, shown, 0, 0))
        {
            throw new AssertionError(fence.place() + ": " + words + " printed\n" + String.join("\n", printed) +
                "\ninstead of\n" + String.join("\n", shown));
        }
    }

    private List<String> tool(final List<String> words) throws IOException
    {
        final List<String> arguments = new ArrayList<>();
        byte[] input = new byte[0];
        for (int i = 0; i < words.size(); i++)
        {
            if (words.get(i).equals("<"))
            {
                input = Files.readAllBytes(place(words.get(++i)));
            }
            else if (i > 0 && words.get(i - 1).equals("--json"))
            {
                arguments.add(folder.resolve(words.get(i)).toString());
            }
            else
            {
                arguments.add(placed(words.get(i)));
            }
        }
        final StringWriter text = new StringWriter();
        final PrintWriter writer = new PrintWriter(text, true);
        exit = CqlTool.run(new ByteArrayInputStream(input), writer, writer, arguments.toArray(new String[0]));
        return text.toString().replace(folder + "/", "").replace(Fence.root() + "/", "").lines().toList();
    }

    /** A word in which existing paths are resolved. */
    private String placed(final String word)
    {
        final int equals = word.indexOf('=');
        final int colon = word.indexOf(':', equals + 1);
        if (equals > 0 && colon > 0 && !word.substring(equals + 1, colon).equals("-"))
        {
            return word.substring(0, equals + 1) + place(word.substring(equals + 1, colon)) + word.substring(colon);
        }
        final boolean isPath = word.contains("/") || word.endsWith(".cql") || word.endsWith(".yaml");
        return isPath ? place(word).toString() : word;
    }

    private Path place(final String file)
    {
        final Path own = folder.resolve(file);
        final Path ofSources = Fence.root().resolve(file);
        return !Files.exists(own) && Files.exists(ofSources) ? ofSources : own;
    }

    private static boolean fits(final List<String> printed, final List<String> shown, final int from, final int at)
    {
        if (at == shown.size())
        {
            return from == printed.size();
        }
        if (shown.get(at).strip().equals(ANY))
        {
            for (int rest = from; rest <= printed.size(); rest++)
            {
                if (fits(printed, shown, rest, at + 1))
                {
                    return true;
                }
            }
            return false;
        }
        return from < printed.size() && printed.get(from).stripTrailing().equals(shown.get(at).stripTrailing()) &&
            fits(printed, shown, from + 1, at + 1);
    }

    /** Words as a shell splits them. */
    private static List<String> words(final String text)
    {
        final List<String> words = new ArrayList<>();
        StringBuilder word = null;
        char quote = 0;
        for (final char c : (text + ' ').toCharArray())
        {
            if (quote != 0)
            {
                if (c == quote)
                {
                    quote = 0;
                    continue;
                }
                word.append(c);
            }
            else if (c == '\'' || c == '"')
            {
                quote = c;
                word = word == null ? new StringBuilder() : word;
            }
            else if (Character.isWhitespace(c))
            {
                if (word != null)
                {
                    words.add(word.toString());
                }
                word = null;
            }
            else
            {
                word = (word == null ? new StringBuilder() : word).append(c);
            }
        }
        return words;
    }
}
