package dev.millrace.cql.compiler.unit.code;

import dev.millrace.cql.compiler.expression.ExpressionCode;
import dev.millrace.cql.compiler.expression.Operand;
import java.util.ArrayList;
import java.util.List;

/**
 * A table of keys with a record for each: the words of the key, then those of its owner.
 *
 * <p>Not thread-safe; used for one class.
 */
public final class KeyTableGenerator
{
    /** Longs of a key up to which they are arguments. */
    private static final int MOST_ARGUMENTS = 3;

    private final String name;
    private final RowWords words;
    private final int width;

    /**
     * Declares a table.
     *
     * @param name    of its field
     * @param words   of a key
     * @param own     number of words of the owner
     * @param maxKeys Java expression of the maximum number of keys
     */
    public KeyTableGenerator(final UnitSource unit, final String name, final RowWords words, final int own,
        final String maxKeys)
    {
        this.name = name;
        this.words = words;
        width = words.count() + own;
        final String table = switch (words.count())
        {
            case 1 -> "LongKeys";
            case 2 -> "LongPairKeys";
            case 3 -> "LongTripleKeys";
            default -> "LongsKeys";
        };
        unit.field("final " + table, name, "new " + table + '(' +
            (table.equals("LongsKeys") ? words.count() + ", " : "") + width + ", " + maxKeys +
            ", memory)");
        if (words.hasCodes())
        {
            unit.construct(name + ".hold(" + words.held() + ");");
        }
    }

    /** Java expression of all records. */
    public String records()
    {
        return name + ".records";
    }

    /** Words of a record. */
    public int width()
    {
        return width;
    }

    /** Words of a key. */
    public int keyWords()
    {
        return words.count();
    }

    /**
     * Writes the look-up of a key, which is added when it is new.
     *
     * @return name of the id, which is negative when the maximum is reached
     */
    public String find(final ExpressionCode code, final List<Operand> key)
    {
        final List<String> values = words.of(code, key);
        final String id = code.name("g");
        code.line("final int " + id + " = " + call(code, "findOrAdd", "", values) + ';');
        return id;
    }

    /**
     * Writes the look-up of the key of a row, which may have been found ahead; a new key is added.
     *
     * @return name of the id, which is negative when the maximum is reached
     */
    public String find(final SymbolicRow row, final List<Operand> key)
    {
        final ExpressionCode code = row.code();
        if (row.number() == null || words.hasCodes())
        {
            return find(code, key);
        }
        final List<String> values = words.of(code, key);
        final String id = code.name("g");
        code.line("int " + id + " = " + name + ".ahead(" + row.number() + ");");
        code.open("if (" + id + " < 0)");
        code.line(id + " = " + call(code, "findOrAdd", "", values) + ';');
        code.close();
        return id;
    }

    /** Whether keys can be looked up before their rows are processed, because that adds no strings to a table. */
    public boolean canLookAhead()
    {
        return words.count() > 0 && !words.hasCodes();
    }

    /** Java condition for whether that pays, for a number of rows. */
    public String looksAhead(final String count)
    {
        return name + ".looksAhead(" + count + ')';
    }

    /** Writes the look-up of the key of a row before it is processed. */
    public void lookAhead(final SymbolicRow row, final List<Operand> key)
    {
        final ExpressionCode code = row.code();
        code.line(call(code, "lookAhead", row.number(), words.of(code, key)) + ';');
    }

    /**
     * Writes the look-up of a key whose id may be known from an earlier look-up; a new key is added.
     *
     * @param known Java variable of the id + 1 of some key, 0 for none
     * @param count the word of a record that is negative when its key was erased
     * @return name of the id, which is negative when the maximum is reached
     */
    public String find(final ExpressionCode code, final List<Operand> key, final String known, final int count)
    {
        final List<String> values = new ArrayList<>();
        for (final String word : words.of(code, key))
        {
            values.add(code.name("y"));
            code.line("final long " + values.get(values.size() - 1) + " = " + word + ';');
        }
        final String id = code.name("g");
        final String at = code.name("k");
        code.line("int " + id + " = " + known + " - 1;");
        code.line("final int " + at + " = " + id + " * " + width + ';');
        final StringBuilder test = new StringBuilder("if (").append(id).append(" < 0 || ").append(records()).append('[')
            .append(at).append(" + ").append(count).append("] < 0L");
        for (int i = 0; i < values.size(); i++)
        {
            test.append(" || ").append(records()).append('[').append(at).append(" + ").append(i).append("] != ")
                .append(values.get(i));
        }
        code.open(test.append(')').toString());
        code.line(id + " = " + call(code, "findOrAdd", "", values) + ';');
        code.line(known + " = " + id + " + 1;");
        code.close();
        return id;
    }

    /** A call that passes a number, if there is one, and a key. */
    private String call(final ExpressionCode code, final String method, final String number, final List<String> values)
    {
        final List<String> arguments = new ArrayList<>();
        if (!number.isEmpty())
        {
            arguments.add(number);
        }
        if (values.size() <= MOST_ARGUMENTS)
        {
            arguments.addAll(values);
        }
        else
        {
            for (int i = 0; i < values.size(); i++)
            {
                code.line(name + ".key[" + i + "] = " + values.get(i) + ';');
            }
        }
        return name + '.' + method + '(' + String.join(", ", arguments) + ')';
    }

    /** A column of the key of a record. */
    public Operand read(final int column, final String base, final boolean nullable)
    {
        return words.read(column, records(), base, nullable);
    }
}
