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
public final class KeysCode
{
    private final String name;
    private final Words words;
    private final int width;

    /**
     * Declares a table.
     *
     * @param name    of its field
     * @param words   of a key
     * @param own     number of words of the owner
     * @param maxKeys Java expression of the maximum number of keys
     */
    public KeysCode(final UnitText unit, final String name, final Words words, final int own, final String maxKeys)
    {
        this.name = name;
        this.words = words;
        width = words.count() + own;
        final String table = switch (words.count())
        {
            case 1 -> "LongKeys";
            case 2 -> "LongPairKeys";
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
        code.line("final int " + id + " = " + call(code, values) + ';');
        return id;
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
        code.line(id + " = " + call(code, values) + ';');
        code.line(known + " = " + id + " + 1;");
        code.close();
        return id;
    }

    private String call(final ExpressionCode code, final List<String> values)
    {
        if (values.size() <= 2)
        {
            return name + ".findOrAdd(" + String.join(", ", values) + ')';
        }
        for (int i = 0; i < values.size(); i++)
        {
            code.line(name + ".key[" + i + "] = " + values.get(i) + ';');
        }
        return name + ".findOrAdd()";
    }

    /** A column of the key of a record. */
    public Operand read(final int column, final String base, final boolean nullable)
    {
        return words.read(column, records(), base, nullable);
    }
}
