package dev.millrace.cql.runtime.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Arguments that are passed as numbers arrive with their original type and value. */
@Timeout(60)
class FunctionCallerTest
{
    private static final int CALLS = 100_000;

    /** Methods to call. */
    public static final class Methods
    {
        private Methods()
        {
        }

        /** Integers, floating-point numbers and an object. */
        public static String mixed(final int a, final String b, final float c, final boolean d, final long e)
        {
            return a + b + c + d + e;
        }

        /** Floating. */
        public static double half(final String a, final double b, final int c)
        {
            return a.length() + b / 2 + c;
        }

        /** A boolean. */
        public static boolean isLonger(final String a, final int b)
        {
            return a.length() > b;
        }

        /** Single precision. */
        public static float negative(final float a)
        {
            return -a;
        }

        /** A box that may be null. */
        public static Integer orNull(final Integer a, final String b)
        {
            return a == null ? null : a + b.length();
        }

        /** Many. */
        public static String many(final int a, final String b, final String c, final String d, final String e,
            final String f)
        {
            return a + b + c + d + e + f;
        }

        /** Any number. */
        public static String all(final Object... arguments)
        {
            return List.of(arguments).toString();
        }
    }

    private static FunctionCaller caller(final String method, final Class<?> result, final Class<?>... arguments)
        throws Exception
    {
        for (final java.lang.reflect.Method each : Methods.class.getMethods())
        {
            if (each.getName().equals(method))
            {
                return new FunctionCaller(MethodHandles.lookup().unreflect(each), List.of(arguments), result);
            }
        }
        throw new NoSuchMethodException(method);
    }

    private static long bits(final double value)
    {
        return Double.doubleToRawLongBits(value);
    }

    @Test
    void shouldGiveNumbersAndObjectsInTheirOrder() throws Throwable
    {
        final FunctionCaller mixed =
            caller("mixed", Object.class, int.class, String.class, float.class, boolean.class, long.class);
        assertThat(mixed.parameters()).isEqualTo(4);
        assertThat(mixed.givesNumber()).isFalse();
        assertThat(mixed.object("x", null, null, null, -3, bits(0.5f), 1, Long.MIN_VALUE))
            .isEqualTo("-3x0.5true" + Long.MIN_VALUE);
        assertThat(mixed.object("", null, null, null, 7, bits(Float.NaN), 0, 1)).isEqualTo("7NaNfalse1");
    }

    @Test
    void shouldGiveFloatingResultsByTheirBits() throws Throwable
    {
        final FunctionCaller half = caller("half", double.class, String.class, double.class, int.class);
        assertThat(half.parameters()).isEqualTo(2);
        assertThat(half.givesNumber()).isTrue();
        assertThat(half.number("ab", null, bits(3), 4)).isEqualTo(bits(7.5));
        final FunctionCaller negative = caller("negative", float.class, float.class);
        assertThat(negative.number(null, null, bits(0.0), 0)).isEqualTo(bits(-0.0));
        assertThat(negative.number(null, null, bits(0.1f), 0)).isEqualTo(bits(-0.1f));
    }

    @Test
    void shouldWidenArgumentsAndNeverNarrowThem() throws Throwable
    {
        final FunctionCaller half = caller("half", double.class, String.class, int.class, int.class);
        assertThat(half.isNumber(1)).isTrue();
        assertThat(half.number("", null, 3, 1)).isEqualTo(bits(2.5));
        final FunctionCaller narrow = caller("isLonger", boolean.class, String.class, long.class);
        assertThat(narrow.isNumber(1)).as("bigint for int").isFalse();
        assertThatThrownBy(() -> narrow.number("a", 1L, 0, 0)).isInstanceOf(ClassCastException.class);
    }

    @Test
    void shouldGiveBooleansAsNumbers() throws Throwable
    {
        final FunctionCaller longer = caller("isLonger", boolean.class, String.class, int.class);
        assertThat(longer.number("abc", null, 2, 0)).isEqualTo(1);
        assertThat(longer.number("abc", null, 3, 0)).isZero();
    }

    @Test
    void shouldLeaveBoxesThatMayBeNullAmongTheObjects() throws Throwable
    {
        final FunctionCaller orNull = caller("orNull", int.class, Object.class, String.class);
        assertThat(orNull.isNumber(0)).isFalse();
        assertThat(orNull.givesNumber()).isFalse();
        assertThat(orNull.object(null, "x", 0, 0)).isNull();
        assertThat(orNull.object(2, "x", 0, 0)).isEqualTo(3);
    }

    @Test
    void shouldTakeManyArgumentsAsAnArray() throws Throwable
    {
        final FunctionCaller many = caller("many", Object.class, int.class, String.class, String.class,
            String.class, String.class, String.class);
        assertThat(many.parameters()).isZero();
        assertThat(many.isNumber(0)).isFalse();
        assertThat(many.all(new Object[] {1, "a", "b", "c", "d", "e"})).isEqualTo("1abcde");
    }

    @Test
    void shouldBoxNumbersOfAMethodThatTakesAnyNumberOfArguments() throws Throwable
    {
        final FunctionCaller all = caller("all", Object.class, int.class, String.class);
        assertThat(all.isNumber(0)).isFalse();
        assertThat(all.object(1, "a", 0, 0)).isEqualTo("[1, a]");
    }

    @Test
    void shouldCallWithoutArguments() throws Throwable
    {
        final MethodHandle seven = MethodHandles.constant(int.class, 7);
        assertThat(seven.type()).isEqualTo(MethodType.methodType(int.class));
        assertThat(new FunctionCaller(seven, List.of(), int.class).number(null, null, 0, 0)).isEqualTo(7);
    }

    @Test
    void shouldAllocateNothingACall() throws Throwable
    {
        final FunctionCaller half = caller("half", double.class, String.class, double.class, int.class);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        long sum = 0;
        for (int round = 0; round < 20; round++)
        {
            final long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < CALLS; i++)
            {
                sum += half.number("ab", null, bits(i), 1_000 + i);
            }
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(sum).isNotZero();
        assertThat(least / (double)CALLS).as("bytes a call").isLessThan(0.1);
    }
}
