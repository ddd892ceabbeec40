package dev.millrace.house;

import java.util.ArrayList;
import java.util.List;

/** Splits a Java source into words, strings and symbols, as far as needed to find messages. */
final class JavaTokens
{
    /** Kind of a token. */
    enum Kind
    {
        /** A string literal, without quotes. */
        STRING,
        /** A name, a keyword or a number. */
        WORD,
        /** One symbol. */
        SIGN,
        /** A Javadoc comment, as one line. */
        JAVADOC
    }

    /**
     * A token.
     *
     * @param text as written
     */
    record Token(Kind kind, String text)
    {
        boolean is(final String sign)
        {
            return kind == Kind.SIGN && text.equals(sign);
        }
    }

    private final String source;
    private final List<Token> tokens = new ArrayList<>();
    private int at;

    private JavaTokens(final String source)
    {
        this.source = source;
    }

    static List<Token> of(final String source)
    {
        final JavaTokens reader = new JavaTokens(source);
        while (reader.at < source.length())
        {
            reader.next();
        }
        return reader.tokens;
    }

    private void next()
    {
        final char sign = source.charAt(at);
        if (source.startsWith("//", at))
        {
            end("\n");
        }
        else if (source.startsWith("/*", at))
        {
            final boolean isJavadoc = source.startsWith("/**", at);
            final String comment = end("*/");
            if (isJavadoc)
            {
                tokens.add(new Token(Kind.JAVADOC, comment.replaceAll("(?m)^\\s*\\*(?!/)|\\*/$|^/\\*\\*", "")
                    .replaceAll("\\{@\\w+ #?([^}]*)}", "$1").replaceAll("\\s+", " ").strip()));
            }
        }
        else if (source.startsWith("\"\"\"", at))
        {
            at += 3;
            final String text = end("\"\"\"");
            tokens.add(new Token(Kind.STRING, text.substring(0, text.length() - 3).strip()));
        }
        else if (sign == '"' || sign == '\'')
        {
            literal(sign);
        }
        else if (Character.isJavaIdentifierPart(sign))
        {
            final int start = at;
            while (at < source.length() && Character.isJavaIdentifierPart(source.charAt(at)))
            {
                at++;
            }
            tokens.add(new Token(Kind.WORD, source.substring(start, at)));
        }
        else
        {
            if (!Character.isWhitespace(sign))
            {
                tokens.add(new Token(Kind.SIGN, String.valueOf(sign)));
            }
            at++;
        }
    }

    private String end(final String mark)
    {
        final int start = at;
        final int found = source.indexOf(mark, at + 2);
        at = found < 0 ? source.length() : found + mark.length();
        return source.substring(start, at);
    }

    private void literal(final char quote)
    {
        final StringBuilder text = new StringBuilder();
        at++;
        while (source.charAt(at) != quote)
        {
            if (source.charAt(at) == '\\')
            {
                at++;
            }
            text.append(source.charAt(at++));
        }
        at++;
        tokens.add(quote == '"' ? new Token(Kind.STRING, text.toString()) : new Token(Kind.WORD, "'"));
    }
}
