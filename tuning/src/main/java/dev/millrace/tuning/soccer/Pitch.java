package dev.millrace.tuning.soccer;

/**
 * The field and the sensors of the match: two teams of eight, of which the first plays towards greater y, a referee and
 * four balls. Lengths in meters; the field is half of a full one, with the center of the full one at y = 0.
 */
final class Pitch
{
    static final double WIDTH = 52.483;
    static final double LOW = -33.960;
    static final double HIGH = 33.965;
    static final double POST_LEFT = 22.579;
    static final double POST_RIGHT = 29.880;

    static final int PLAYERS = 16;
    static final int TEAM_SIZE = 8;
    static final int FOOT = 1;
    static final int HAND = 2;
    static final int BALL = 3;
    static final int REFEREE = 4;

    private static final int FIRST_FOOT = 13;
    private static final int FIRST_HAND = 97;
    private static final int FIRST_REFEREE = 105;
    private static final int[] BALLS = {4, 8, 10, 12};

    /**
     * A sensor.
     *
     * @param sid    its number
     * @param kind   {@link #FOOT}, {@link #HAND}, {@link #BALL} or {@link #REFEREE}
     * @param player number of the player from 1; the referee has the highest number, a ball 0
     * @param team   1 or 2, 0 for none
     * @param side   index among the sensors of its player, or of the ball, from 0
     */
    record Sensor(int sid, int kind, int player, int team, int side)
    {
    }

    private Pitch()
    {
    }

    /** Sensors of players and referee, 200 rows per second each: two feet, and two hands of the goalkeepers. */
    static Sensor[] wornSensors()
    {
        final Sensor[] sensors = new Sensor[2 * PLAYERS + 6];
        int count = 0;
        for (int player = 1; player <= PLAYERS; player++)
        {
            for (int side = 0; side < 2; side++)
            {
                sensors[count] = new Sensor(FIRST_FOOT + count, FOOT, player, team(player), side);
                count++;
            }
        }
        for (int hand = 0; hand < 4; hand++)
        {
            final int player = 1 + hand / 2 * TEAM_SIZE;
            sensors[count++] = new Sensor(FIRST_HAND + hand, HAND, player, team(player), hand % 2);
        }
        for (int side = 0; side < 2; side++)
        {
            sensors[count++] = new Sensor(FIRST_REFEREE + side, REFEREE, PLAYERS + 1, 0, side);
        }
        return sensors;
    }

    /** Sensors of the balls, 2000 rows per second each; the first is in play. */
    static Sensor[] balls()
    {
        final Sensor[] sensors = new Sensor[BALLS.length];
        for (int i = 0; i < sensors.length; i++)
        {
            sensors[i] = new Sensor(BALLS[i], BALL, 0, 0, i);
        }
        return sensors;
    }

    static int team(final int player)
    {
        return 1 + (player - 1) / TEAM_SIZE;
    }

    static boolean isInside(final double x, final double y)
    {
        return x >= 0 && x <= WIDTH && y >= LOW && y <= HIGH;
    }
}
