package org.example.trouble;

/** User code that fails in the ways of user code; outside the platform's packages. */
public class Faulty
{
    /** Fails in the constructor. */
    public static final class Constructor
    {
        public Constructor()
        {
            fail();
        }
    }

    /** Fails in its init method. */
    public static final class Init
    {
        public void begin()
        {
            fail();
        }
    }

    /** Fails while the class is made ready. */
    public static final class Static
    {
        private static final int VALUE = fail();

        public int value()
        {
            return VALUE;
        }
    }

    private static int fail()
    {
        throw new IllegalStateException("made by a test");
    }
}
