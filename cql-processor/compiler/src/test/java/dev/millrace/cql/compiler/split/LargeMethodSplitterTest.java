package dev.millrace.cql.compiler.split;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.codehaus.janino.SimpleCompiler;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random methods, whole and split: they have the same results, and the parts are small. */
@Tag("slow")
@Timeout(120)
class LargeMethodSplitterTest
{
    private static final int METHODS = 30;
    private static final int MOST = 700;

    private Random random;
    private int names;

    private String value(final int depth)
    {
        if (depth == 0 || random.nextInt(3) == 0)
        {
            return switch (random.nextInt(4))
            {
                case 0 -> String.valueOf(random.nextInt(50));
                case 1 -> "n";
                case 2 -> "total";
                default -> "cells[" + random.nextInt(8) + ']';
            };
        }
        return '(' + value(depth - 1) + (random.nextBoolean() ? " + " : " * ") + value(depth - 1) + ')';
    }

    private String condition()
    {
        return '(' + value(2) + " & 1L) == " + random.nextInt(2) + 'L';
    }

    /** Statements of a block; in a loop some break or continue it. */
    private String block(final int depth, final boolean isLoop)
    {
        final StringBuilder text = new StringBuilder("{\n");
        final String known = "x" + names++;
        text.append("long ").append(known).append(" = ").append(value(2)).append(";\n");
        for (int i = 2 + random.nextInt(6); i > 0; i--)
        {
            text.append(statement(depth, isLoop, known));
        }
        return text.append("total = total * 31L + ").append(known).append(";\n}\n").toString();
    }

    private String statement(final int depth, final boolean isLoop, final String known)
    {
        final int kind = random.nextInt(depth == 0 ? 4 : 11);
        final String other = "y" + names++;
        return switch (kind)
        {
            case 0 -> known + " = " + known + " + " + value(3) + ";\n";
            case 1 -> "cells[" + random.nextInt(8) + "] = " + value(2) + " + " + known + ";\n";
            case 2 -> "final long " + other + " = " + value(2) + ";\n" + known + " = " + known + " ^ " + other + ";\n";
            case 3 -> isLoop && random.nextInt(3) == 0 ? "if (" + condition() + ") " +
                (random.nextBoolean() ? "break" : "continue") + ";\n" : "total++;\n";
            case 4 -> "if (" + condition() + ") " + block(depth - 1, isLoop);
            case 5 -> "if (" + condition() + ") " + block(depth - 1, isLoop) + "else " + block(depth - 1, isLoop);
            case 6 -> "for (int " + other + " = 0; " + other + " < " + (1 + random.nextInt(3)) + "; " + other + "++) " +
                block(depth - 1, true);
            case 7 -> "long " + other + " = 2L;\nwhile (" + other + "-- > 0L) " + block(depth - 1, true);
            case 8 -> "try { if (" + condition() + ") throw new IllegalStateException(\"" + other + "\");\n" +
                block(depth - 1, false) + "} catch (IllegalStateException failure) { total = total + " +
                "failure.getMessage().length(); }\n";
            case 9 -> "if (" + condition() + " && n < 0L) return;\n";
            // Adjacent blocks have variables of the same name.
            default -> "{ long same = " + value(1) + "; total += same; }\n{ int same = 3; total += same; }\n";
        };
    }

    private String classText()
    {
        names = 0;
        final StringBuilder body = new StringBuilder();
        for (int i = 0; i < 8; i++)
        {
            body.append(block(3, false));
        }
        return "public class Large implements java.util.function.LongUnaryOperator {\n" +
            "private long total;\nprivate final long[] cells = new long[8];\n" +
            "private void large(final long n) " + '{' + body + "}\n" +
            "public long applyAsLong(final long n) {\nlarge(n);\nlong all = total;\n" +
            "for (int i = 0; i < cells.length; i++) all = all * 31L + cells[i];\nreturn all;\n}\n}\n";
    }

    private static SimpleCompiler compiled(final String text) throws Exception
    {
        final SimpleCompiler compiler = new SimpleCompiler();
        compiler.cook(text);
        return compiler;
    }

    private static Map<Long, Long> answers(final SimpleCompiler compiler) throws Exception
    {
        final var large = (java.util.function.LongUnaryOperator)compiler.getClassLoader().loadClass("Large")
            .getConstructor().newInstance();
        final Map<Long, Long> answers = new HashMap<>();
        // State stays between calls.
        for (long n = 0; n < 8; n++)
        {
            answers.put(n, large.applyAsLong(n - 2));
        }
        return answers;
    }

    private static int longest(final SimpleCompiler compiler)
    {
        return compiler.getBytecodes().values().stream().flatMap(bytes -> MethodSizes.of(bytes).values().stream())
            .mapToInt(Integer::intValue).max().orElseThrow();
    }

    @Test
    void shouldDoTheSameInSmallParts() throws Exception
    {
        final long seed = Long.getLong("seed", 20_261_127L);
        System.out.println("seed " + seed);
        long before = 0;
        long after = 0;
        for (int i = 0; i < METHODS; i++)
        {
            random = new Random(seed + i);
            final String text = classText();
            final SimpleCompiler whole = compiled(text);
            final String cut = LargeMethodSplitter.cut(text, Set.of("large"), MOST);
            final SimpleCompiler parts = compiled(cut);
            assertThat(answers(parts)).as("seed %d%n%s%n%s", seed + i, text, cut).isEqualTo(answers(whole));
            before += longest(whole);
            after += longest(parts);
        }
        // Statements that leave an enclosing statement are not moved, so that some parts are larger.
        assertThat(after * 3).as("bytes of the longest methods, before %d", before).isLessThan(before);
    }

    @Test
    void shouldLeaveSmallMethodsAsTheyAre() throws Exception
    {
        final String text = "public class Small { long value(long n) { return n + 1; } }";
        assertThat(LargeMethodSplitter.cut(text, Set.of(), MOST)).isEqualTo(text);
        assertThat(LargeMethodSplitter.cut(text, Set.of("value"), MOST)).doesNotContain("part0");
    }

    @Test
    void shouldTellThePartsOfAMethod() throws Exception
    {
        random = new Random(1);
        final SimpleCompiler parts = compiled(LargeMethodSplitter.cut(classText(), Set.of("large"), MOST));
        assertThat(parts.getBytecodes().values().stream().flatMap(bytes -> MethodSizes.of(bytes).keySet().stream())
            .map(name -> name.substring(0, name.indexOf('(')).replace("$",
            "")).map(LargeMethodSplitter::cutFrom).distinct())
            .containsExactlyInAnyOrder("<init>", "applyAsLong", "large");
        assertThat(LargeMethodSplitter.isConstructor("<init>()V")).isTrue();
        assertThat(LargeMethodSplitter.isConstructor("large(J)V")).isFalse();
    }
}
