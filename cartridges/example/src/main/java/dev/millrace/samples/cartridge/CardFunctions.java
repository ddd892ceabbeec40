package dev.millrace.samples.cartridge;

/**
 * The functions of a link. Every public method is a function: its types are those of Java calls in rules. Immutable,
 * since several threads call it at the same time.
 */
public final class CardFunctions
{
    private static final int BASE = 10;

    private final int visibleDigits;

    CardFunctions(final int visibleDigits)
    {
        this.visibleDigits = visibleDigits;
    }

    /** Whether the last digit is the check digit of the others, by the algorithm of Luhn. */
    public boolean isCardNumber(final String number)
    {
        int sum = 0;
        boolean isDoubled = false;
        for (int i = number.length() - 1; i >= 0; i--)
        {
            final int digit = Character.digit(number.charAt(i), BASE);
            if (digit < 0)
            {
                return false;
            }
            final int counted = isDoubled ? digit * 2 : digit;
            sum += counted / BASE + counted % BASE;
            isDoubled = !isDoubled;
        }
        return !number.isEmpty() && sum % BASE == 0;
    }

    /** The number with all digits hidden except the last ones. An exception rejects the row, with its message. */
    public String masked(final String number)
    {
        if (!isCardNumber(number))
        {
            throw new IllegalArgumentException("not the number of a card, length=" + number.length());
        }
        final int hidden = Math.max(0, number.length() - visibleDigits);
        return "*".repeat(hidden) + number.substring(hidden);
    }
}
