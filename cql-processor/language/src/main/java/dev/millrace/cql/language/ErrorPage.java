package dev.millrace.cql.language;

import java.util.Map;
import java.util.TreeMap;

/** Writes the catalogue of messages as the page that {@link Message#documentation()} points into. */
public final class ErrorPage
{
    private static final Map<Character, String> CHAPTERS = Map.of('1', "Text of a rule", '2', "Names", '3', "Types",
        '4', "Statements", '5', "Patterns", '6', "Ordering constraints", '7', "Not available", '9', "Limits");

    private ErrorPage()
    {
    }

    /**
     * The page.
     *
     * @return Markdown, a heading an entry, in order of the codes
     */
    public static String markdown()
    {
        final Map<String, Message> byCode = new TreeMap<>();
        for (final Message message : Message.values())
        {
            byCode.put(message.code(), message);
        }
        final StringBuilder page = new StringBuilder("""
            # What can be wrong with a rule

            Every problem has a stable code, a place in the rule's text, what is wrong and mostly a hint. `...` stands
            for names and values of the rule. Errors keep a rule from running, warnings do not.
            """);
        char chapter = ' ';
        for (final Message message : byCode.values())
        {
            final char first = message.code().charAt(4);
            if (first != chapter)
            {
                chapter = first;
                page.append("\n## ").append(CHAPTERS.getOrDefault(first, "Other")).append('\n');
            }
            page.append("\n### ").append(message.code()).append("\n\n");
            page.append(message.severity() == Message.Severity.WARNING ? "Warning: " : "").append(shown(message.text(
                "...", "...", "...", "...", "..."))).append('\n');
            final String hint = shown(message.hint("...", "...", "...", "...", "..."));
            if (!hint.isEmpty() && !hint.equals("..."))
            {
                page.append("\nWhat to do: ").append(hint).append('\n');
            }
        }
        return page.toString();
    }

    private static String shown(final String text)
    {
        return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }
}
