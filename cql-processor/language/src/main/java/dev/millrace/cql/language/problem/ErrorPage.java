package dev.millrace.cql.language.problem;

import java.util.Map;
import java.util.TreeMap;

/** Formats the message catalog as the page that {@link Message#documentation()} refers to. */
public final class ErrorPage
{
    private static final Map<Character, String> CHAPTERS = Map.of('1', "Text of a rule", '2', "Names", '3', "Types",
        '4', "Statements", '5', "Patterns", '6', "Ordering constraints", '7', "Not available", '9', "Limits");

    private ErrorPage()
    {
    }

    /** The page in Markdown, one heading per message, in order of the codes. */
    public static String markdown()
    {
        final Map<String, Message> byCode = new TreeMap<>();
        for (final Message message : Message.values())
        {
            byCode.put(message.code(), message);
        }
        final StringBuilder page = new StringBuilder("""
            # Error messages of rules

            Every problem has a stable code, a position in the rule's text, a description and usually a hint. `...`
            represents names and values of the rule. Errors prevent a rule from running, warnings do not.
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
                page.append("\nHint: ").append(hint).append('\n');
            }
        }
        return page.toString();
    }

    private static String shown(final String text)
    {
        return text.replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_");
    }
}
