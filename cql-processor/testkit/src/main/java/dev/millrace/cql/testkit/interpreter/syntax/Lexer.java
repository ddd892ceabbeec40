package dev.millrace.cql.testkit.interpreter.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a statement into tokens. */
final class Lexer
{
    enum Kind
    {
        NUMBER, WORD, QUOTED, TEXT, PLACEHOLDER, SIGN, END
    }

    /** {@code text} is case-folded for words, and without quotes for strings. */
    record Token(Kind kind, String text, int at)
    {
        boolean is(final String word)
        {
            return (kind == Kind.WORD || kind == Kind.SIGN) && text.equals(word);
        }
    }

    private static final Pattern TOKEN = Pattern.compile("\\s*(?:"
        + "(?<num>(?:\\d+\\.\\d*|\\.\\d+|\\d+)(?:[eE][+-]?\\d+)?[fFdDlL]?(?![A-Za-z_]))"
        + "|(?<word>[A-Za-z_][A-Za-z0-9_$#]*)"
        + "|(?<back>`[^`]+`)"
        + "|(?<text>\"(?:[^\"]|\"\")*\"|'(?:[^']|'')*')"
        + "|(?<placeholder>:\\d+)"
        + "|(?<sign><>|!=|<=|>=|\\|\\||\\{-|-\\}|[-+*/=<>(),.\\[\\]@?{}|]))");

    private Lexer()
    {
    }

    static List<Token> read(final String source)
    {
        final String text = source.stripTrailing();
        final List<Token> tokens = new ArrayList<>();
        final Matcher matcher = TOKEN.matcher(text);
        int at = 0;
        while (at < text.length())
        {
            if (!matcher.find(at) || matcher.start() != at)
            {
                throw new InvalidStatementException("cannot read: " +
                    text.substring(at, Math.min(text.length(), at + 12)));
            }
            tokens.add(token(matcher));
            at = matcher.end();
        }
        tokens.add(new Token(Kind.END, "", text.length()));
        return tokens;
    }

    private static Token token(final Matcher matcher)
    {
        if (matcher.group("num") != null)
        {
            return new Token(Kind.NUMBER, matcher.group("num"), matcher.start("num"));
        }
        if (matcher.group("word") != null)
        {
            return new Token(Kind.WORD, matcher.group("word").toLowerCase(Locale.ROOT), matcher.start("word"));
        }
        if (matcher.group("back") != null)
        {
            final String back = matcher.group("back");
            return new Token(Kind.QUOTED, back.substring(1, back.length() - 1), matcher.start("back"));
        }
        if (matcher.group("text") != null)
        {
            final String quoted = matcher.group("text");
            final String quote = quoted.substring(0, 1);
            return new Token(Kind.TEXT, quoted.substring(1, quoted.length() - 1).replace(quote + quote, quote),
                matcher.start("text"));
        }
        if (matcher.group("placeholder") != null)
        {
            return new Token(Kind.PLACEHOLDER, matcher.group("placeholder"), matcher.start("placeholder"));
        }
        return new Token(Kind.SIGN, matcher.group("sign"), matcher.start("sign"));
    }
}
