package dev.millrace.house;

import dev.millrace.house.JavaTokens.Kind;
import dev.millrace.house.JavaTokens.Token;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the message of each code in sources: {@code "EPN-0101 fact, name=" + name + "; hint"}, or code, fact and hint
 * as consecutive arguments, or the Javadoc of a constant with the code, or a nearby comment in the form {@code //
 * EPN-0101: fact: hint}. Parts known only at run time become {@code ...}.
 */
final class MessageSources
{
    private static final Pattern CODE = Pattern.compile("([A-Z]{3}-\\d{4})(?:(?::? )(.*)|:?)", Pattern.DOTALL);
    private static final Pattern IN_SCRIPT = Pattern.compile("([A-Z]{3}-\\d{4})(?:: | \")([^\"]*)(?:\" \"([^\"]*))?");
    private static final Pattern COMMENT = Pattern.compile("(?m)^\\s*// ([A-Z]{3}-\\d{4}): ([^:\n]+)(?:: (.+))?$");
    private static final Pattern NUMBERED = Pattern.compile("\"([A-Z]{3}-\\d)\" \\+ \\w+");

    /**
     * A message.
     *
     * @param fact may be empty
     * @param hint may be empty
     */
    record Said(String code, String fact, String hint)
    {
    }

    private final List<Token> tokens;
    private final List<Said> said = new ArrayList<>();

    private MessageSources(final List<Token> tokens)
    {
        this.tokens = tokens;
    }

    static List<Said> of(final Path file)
    {
        final String text = SourceTree.read(file);
        return file.toString().endsWith(".java") ? ofJava(text) : ofScript(text);
    }

    static List<Said> ofScript(final String text)
    {
        final List<Said> found = new ArrayList<>();
        final Matcher matcher = IN_SCRIPT.matcher(text.replaceAll("(?m)^\\s*#.*$", ""));
        while (matcher.find())
        {
            final String hint = matcher.group(3) == null ? "" : matcher.group(3);
            found.add(split(matcher.group(1), variables(matcher.group(2)), variables(hint)));
        }
        return found;
    }

    private static String variables(final String text)
    {
        return text.replaceAll("\\$(?:\\{[^}]*}|\\w+|[0-9@#])", "...");
    }

    static List<Said> ofJava(final String text)
    {
        final MessageSources sources = new MessageSources(JavaTokens.of(text));
        final Matcher numbered = NUMBERED.matcher(text);
        final String prefix = numbered.find() ? numbered.group(1) : null;
        for (int i = 0; i < sources.tokens.size(); i++)
        {
            final Matcher matcher = CODE.matcher(sources.tokens.get(i).text());
            if (sources.tokens.get(i).kind() == Kind.STRING && matcher.matches())
            {
                sources.read(i, matcher.group(1));
            }
            else if (prefix != null && sources.isEnumConstant(i) && sources.tokens.get(i).text().matches("\\d{3}"))
            {
                sources.addDescribed(prefix + sources.tokens.get(i).text(), i - 3);
            }
        }
        final Matcher comment = COMMENT.matcher(text);
        while (comment.find())
        {
            sources.said.add(new Said(comment.group(1), comment.group(2), comment.group(3) == null ? "" :
                comment.group(3)));
        }
        return sources.said;
    }

    /** Whether a token is the first argument of a constant of an enum. */
    private boolean isEnumConstant(final int index)
    {
        return index >= 3 && tokens.get(index - 1).is("(") && tokens.get(index - 2).text().matches("[A-Z][A-Z0-9_]+") &&
            tokens.get(index - 3).kind() == Kind.JAVADOC;
    }

    private void read(final int index, final String code)
    {
        if (isEnumConstant(index))
        {
            addDescribed(code, index - 3);
        }
        else if (index >= 2 && tokens.get(index - 1).is("=") && tokens.get(index + 1).is(";"))
        {
            readConstant(index, code);
        }
        else
        {
            addSpoken(code, index);
        }
    }

    private void readConstant(final int index, final String code)
    {
        int start = index - 2;
        while (start > 0 && tokens.get(start).kind() == Kind.WORD)
        {
            start--;
        }
        if (tokens.get(start).kind() == Kind.JAVADOC)
        {
            addDescribed(code, start);
            return;
        }
        final String name = tokens.get(index - 2).text();
        for (int i = index + 1; i < tokens.size(); i++)
        {
            if (tokens.get(i).kind() == Kind.WORD && tokens.get(i).text().equals(name))
            {
                addSpoken(code, i);
            }
        }
    }

    /** Adds a description in the form "Fact: hint", or a fact only. */
    private void addDescribed(final String code, final int javadoc)
    {
        final String text = tokens.get(javadoc).text().replaceAll("\\.$", "");
        final int colon = text.indexOf(": ");
        said.add(colon < 0 ? new Said(code, text, "") :
            new Said(code, text.substring(0, colon), text.substring(colon + 2)));
    }

    /** Adds the argument with the code, and subsequent arguments that contain text. */
    private void addSpoken(final String code, final int index)
    {
        final List<String> texts = new ArrayList<>();
        int at = index;
        while (at < tokens.size())
        {
            final StringBuilder text = new StringBuilder();
            final int end = argument(at, text);
            final String plain = text.toString();
            if (plain.matches("(?s).*[a-z]{2}.*") || at == index)
            {
                texts.add(plain);
            }
            if (end >= tokens.size() || !tokens.get(end).is(","))
            {
                break;
            }
            at = end + 1;
        }
        final Matcher first = CODE.matcher(texts.remove(0));
        if (first.matches() && first.group(2) != null && !first.group(2).isBlank())
        {
            texts.add(0, first.group(2));
        }
        said.add(split(code, texts.isEmpty() ? "" : texts.get(0), texts.size() < 2 ? "" : texts.get(1)));
    }

    private static Said split(final String code, final String text, final String hint)
    {
        final int end = text.indexOf("; ");
        return end < 0 ? new Said(code, text.strip(), hint.strip()) :
            new Said(code, text.substring(0, end).strip(), text.substring(end + 2).strip());
    }

    /** Concatenates the strings of an argument; returns the index of the symbol after it. */
    private int argument(final int start, final StringBuilder text)
    {
        int depth = 0;
        int at = start;
        boolean isUnknown = false;
        for (; at < tokens.size(); at++)
        {
            final Token token = tokens.get(at);
            if (depth == 0 && (token.is(",") || token.is(")") || token.is(";") || token.is("}")))
            {
                break;
            }
            depth += token.is("(") || token.is("[") || token.is("{") ? 1 : 0;
            depth -= token.is(")") || token.is("]") || token.is("}") ? 1 : 0;
            if (token.kind() == Kind.STRING && depth == 0)
            {
                text.append(isUnknown ? "..." : "").append(token.text().replaceAll("\\{}|%[-,.0-9]*[a-z]", "..."));
                isUnknown = false;
            }
            else
            {
                isUnknown |= !token.is("+");
            }
        }
        text.append(isUnknown && text.length() > 0 ? "..." : "");
        return at;
    }
}
