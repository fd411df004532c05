package dev.chatflow.server.simulation.mutant;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.Set;

/** What a mutant makes of the method that it changes. */
public sealed interface Change {

  /** Always this number; for a boolean 0 or 1. */
  record Constant(int value) implements Change {}

  /** Always this constant of the enum that it answers. */
  record EnumConstant(String name) implements Change {}

  /** What it was given as its nth argument, from 0. */
  record Argument(int index) implements Change {}

  /** What another method of the class answers to the same arguments. */
  record AnswerOf(String method) implements Change {}

  /** What a field of the object holds. */
  record Field(String name) implements Change {}

  /** Nothing happens. */
  record Nothing() implements Change {}

  /** The method that is changed. */
  record Method(ClassDesc owner, MethodTypeDesc type, Set<AccessFlag> flags) {
    boolean isStatic() {
      return flags.contains(AccessFlag.STATIC);
    }

    int slot(int argument) {
      int slot = isStatic() ? 0 : 1;
      for (int i = 0; i < argument; i++) {
        slot += TypeKind.from(type.parameterType(i)).slotSize();
      }
      return slot;
    }
  }

  /** Writes its new body. */
  default void write(CodeBuilder code, Method method) {
    TypeKind answer = TypeKind.from(method.type().returnType());
    switch (this) {
      case Constant(int value) -> {
        if (answer == TypeKind.LONG) {
          code.loadConstant((long) value);
        } else {
          code.loadConstant(value);
        }
      }
      case EnumConstant(String name) ->
          code.getstatic(method.type().returnType(), name, method.type().returnType());
      case Argument(int index) -> code.loadLocal(answer, method.slot(index));
      case AnswerOf(String other) -> call(code, method, other);
      case Field(String name) ->
          code.aload(0).getfield(method.owner(), name, method.type().returnType());
      case Nothing() -> {}
    }
    code.return_(answer);
  }

  private static void call(CodeBuilder code, Method method, String other) {
    if (!method.isStatic()) {
      code.aload(0);
    }
    for (int i = 0; i < method.type().parameterCount(); i++) {
      code.loadLocal(TypeKind.from(method.type().parameterType(i)), method.slot(i));
    }
    if (method.isStatic()) {
      code.invokestatic(method.owner(), other, method.type());
    } else {
      code.invokevirtual(method.owner(), other, method.type());
    }
  }
}
