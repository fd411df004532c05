package dev.chatflow.lab.storm;

import java.util.List;

/**
 * A group of targets with one fault at a time.
 *
 * @param target name of a target
 * @param targets number of targets, numbered from 1
 * @param quiet minimum ms between two faults; the maximum is three times as much
 */
public record Track(String target, int targets, long quiet, List<Kind> kinds) {}
